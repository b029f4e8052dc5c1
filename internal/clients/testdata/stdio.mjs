// Starts a server as a child process and visits it with the version 1 client.
// usage: node stdio.mjs '{"command", "args", "calls", "reads"}'
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { visit } from './visit.mjs';

const plan = JSON.parse(process.argv[2]);
const client = new Client({ name: 'clients-stdio', version: '1.0.0' }, { capabilities: { elicitation: {} } });
const asked = [];
client.setRequestHandler(ElicitRequestSchema, async (request) => {
  asked.push(request.params.message);
  return { action: 'accept', content: {} };
});
const transport = new StdioClientTransport({ command: plan.command, args: plan.args, stderr: 'inherit' });
transport.setProtocolVersion = (version) => { transport.negotiated = version; };
await client.connect(transport);
const seen = await visit(client, plan);
seen.asked = asked;
seen.protocol = transport.negotiated;
await client.close();
console.log(JSON.stringify(seen));
