// Does with a server what a program does with one that it does not know: lists
// everything, calls, reads, is told of changes, and prints all answers.
// usage: node visit.mjs '{"sdk", "transport", "mode", "url", "command", "args", "calls", "reads", "edit", "uri"}'
import { writeFileSync } from 'node:fs';

const plan = JSON.parse(process.argv[2]);
const { connect } = await import(`./sdk${plan.sdk}.mjs`);
const asked = [];
const heard = []; // the URIs that have been told of, "" for the list of tools
let ring = () => {};
const tell = (uri) => { heard.push(uri); ring(true); };
const { client, protocol, follow } = await connect(plan, {
  elicit: async (request) => {
    asked.push(request.params.message);
    return { action: 'accept', content: {} };
  },
  listed: () => tell(''),
  updated: (notification) => tell(notification.params.uri),
});
const seen = {
  protocol,
  asked,
  server: client.getServerVersion(),
  tools: (await client.listTools()).tools,
  resources: (await client.listResources()).resources,
  templates: (await client.listResourceTemplates()).resourceTemplates,
  calls: [],
  reads: [],
};
for (const call of plan.calls ?? []) seen.calls.push(await attempt(() => client.callTool(call)));
for (const uri of plan.reads ?? []) seen.reads.push(await attempt(() => client.readResource({ uri })));
if (plan.edit) {
  await follow(plan.uri);
  await changed(plan.edit);
  seen.heard = heard;
  if (plan.uri) seen.after = { read: await client.readResource({ uri: plan.uri }) };
  else seen.after = await client.listTools();
}
await client.close();
console.log(JSON.stringify(seen));

// A refusal by the protocol is an answer too.
async function attempt(ask) {
  try {
    return { result: await ask() };
  } catch (err) {
    return { code: err.code, message: err.message, data: err.data };
  }
}

// Edits a file until the server has told of it: a client of older revisions may
// begin to listen only after it has connected.
async function changed({ file, text, patience }) {
  for (let n = 1; ; n++) {
    const told = new Promise((resolve) => { ring = resolve; });
    writeFileSync(file, text.replaceAll('{n}', n));
    let timer;
    const late = new Promise((resolve) => { timer = setTimeout(resolve, patience, false); });
    const done = await Promise.race([told, late]);
    clearTimeout(timer);
    if (done || heard.length > 0) return;
  }
}
