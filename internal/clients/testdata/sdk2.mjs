// Connects the version 2 client.
import { Client, SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

export async function connect(plan, { elicit, listed, updated }) {
  const client = new Client(
    { name: 'clients-v2', version: '1.0.0' },
    { versionNegotiation: { mode: plan.mode }, capabilities: { elicitation: {} } },
  );
  client.setRequestHandler('elicitation/create', elicit);
  client.setNotificationHandler('notifications/tools/list_changed', listed);
  client.setNotificationHandler('notifications/resources/updated', updated);
  await client.connect(dial(plan));
  const protocol = client.getNegotiatedProtocolVersion();
  return {
    client,
    protocol,
    follow: async (uri) => {
      if (protocol >= '2026-07-28') await client.listen(uri ? { resourceSubscriptions: [uri] } : { toolsListChanged: true });
      else if (uri) await client.subscribeResource({ uri });
    },
  };
}

function dial({ transport, url, command, args }) {
  switch (transport) {
    case 'stdio': return new StdioClientTransport({ command, args, stderr: 'inherit' });
    case 'http': return new StreamableHTTPClientTransport(new URL(url));
    case 'sse': return new SSEClientTransport(new URL(url));
  }
}
