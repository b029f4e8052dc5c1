// Visits a server over Streamable HTTP with the version 2 client.
// usage: node http.mjs '{"url", "mode", "calls", "reads"}'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { visit } from './visit.mjs';

const plan = JSON.parse(process.argv[2]);
const client = new Client(
  { name: 'clients-http', version: '1.0.0' },
  { versionNegotiation: { mode: plan.mode }, capabilities: { elicitation: {} } },
);
const asked = [];
client.setRequestHandler('elicitation/create', async (request) => {
  asked.push(request.params.message);
  return { action: 'accept', content: {} };
});
await client.connect(new StreamableHTTPClientTransport(new URL(plan.url)));
const seen = await visit(client, plan);
seen.asked = asked;
seen.protocol = client.getNegotiatedProtocolVersion();
await client.close();
console.log(JSON.stringify(seen));
