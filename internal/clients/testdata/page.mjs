// Uses a bridge from within a page, in either era, and posts what it saw to the
// server that the page came from.
const post = (seen) => fetch('/seen', { method: 'POST', body: JSON.stringify(seen) });

async function visit(plan, mode) {
  const { Client, SSEClientTransport, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  const client = new Client(
    { name: 'page', version: '1.0.0' },
    { versionNegotiation: { mode: mode === 'sse' ? 'legacy' : mode }, capabilities: { elicitation: {} } },
  );
  client.setRequestHandler('elicitation/create', async () => ({ action: 'accept', content: {} }));
  const options = { requestInit: { headers: { Authorization: `Bearer ${plan.token}`, 'X-Of-The-Page': 'yes' } } };
  const transport = mode === 'sse'
    ? new SSEClientTransport(new URL(plan.url.replace(/mcp$/, 'sse')), options)
    : new StreamableHTTPClientTransport(new URL(plan.url), options);
  await client.connect(transport);
  const protocol = client.getNegotiatedProtocolVersion();
  const product = await client.callTool({ name: 'get_product', arguments: { sku: 'TENT-2P' } });
  const stock = await client.callTool({ name: 'set_stock', arguments: { sku: 'MUG-01', quantity: 25 } });
  if (protocol >= '2026-07-28') await client.listen({ toolsListChanged: true });
  await client.close();
  return { protocol, product: product.content[0].text, stock: stock.content[0].text };
}

async function attempt(f) {
  try {
    return await f();
  } catch (err) {
    return { error: `${err.name}: ${err.message}` };
  }
}

const plan = await (await fetch('/plan')).json();
const seen = { modern: await attempt(() => visit(plan, { pin: '2026-07-28' })), legacy: await attempt(() => visit(plan, 'legacy')), sse: await attempt(() => visit(plan, 'sse')) };
seen.stranger = await attempt(async () => {
  const answer = await fetch(plan.url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' });
  return { status: answer.status, challenge: answer.headers.get('WWW-Authenticate') };
});
await post(seen);
