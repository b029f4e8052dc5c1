// Connects the version 1 client.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema, ResourceUpdatedNotificationSchema, ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';

export async function connect(plan, { elicit, listed, updated }) {
  const client = new Client({ name: 'clients-v1', version: '1.0.0' }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, elicit);
  client.setNotificationHandler(ToolListChangedNotificationSchema, listed);
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, updated);
  const transport = dial(plan);
  let negotiated;
  const pass = transport.setProtocolVersion?.bind(transport);
  transport.setProtocolVersion = (version) => { negotiated = version; pass?.(version); };
  await client.connect(transport);
  return {
    client,
    protocol: negotiated,
    follow: async (uri) => { if (uri) await client.subscribeResource({ uri }); },
  };
}

function dial({ transport, url, command, args }) {
  switch (transport) {
    case 'stdio': return new StdioClientTransport({ command, args, stderr: 'inherit' });
    case 'http': return new StreamableHTTPClientTransport(new URL(url));
    case 'sse': return new SSEClientTransport(new URL(url));
  }
}
