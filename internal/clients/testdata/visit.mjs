// What a program does with a server it does not know: list everything, call,
// read, and keep all answers.
export async function visit(client, { calls, reads }) {
  const seen = {
    server: client.getServerVersion(),
    capabilities: client.getServerCapabilities(),
    instructions: client.getInstructions(),
    tools: (await client.listTools()).tools,
    resources: (await client.listResources()).resources,
    templates: (await client.listResourceTemplates()).resourceTemplates,
    calls: [],
    reads: [],
  };
  for (const call of calls) seen.calls.push(await attempt(() => client.callTool(call)));
  for (const uri of reads) seen.reads.push(await attempt(() => client.readResource({ uri })));
  return seen;
}

// A refusal by the protocol is an answer too.
async function attempt(ask) {
  try {
    return { result: await ask() };
  } catch (err) {
    return { code: err.code, message: err.message, data: err.data };
  }
}
