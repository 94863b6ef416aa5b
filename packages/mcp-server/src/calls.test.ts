import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { post } from './testing/post.ts';
import { slowCall } from './testing/slow-call.ts';
import { useTestServer } from './testing/test-server.ts';

const t = useTestServer();

test('a call ends when its client goes away', async () => {
  const client = new AbortController();
  const gone = t.run({ query: 'wait' }, {}, client.signal).catch(() => 'gone');
  const signal = await t.fake.waiting;
  expect(signal.aborted).toBe(false);
  client.abort();
  expect(await gone).toBe('gone');
  await expect.poll(() => signal.aborted).toBe(true);
});

test('a call ends without a result when the server closes', async () => {
  const call = t.run({ query: 'wait' });
  const signal = await t.fake.waiting;
  await t.server.close();
  expect(signal.aborted).toBe(true);
  expect((await call).message).toEqual({});
  t.server = await t.start();
});

test('a request whose body arrives while the server closes starts no call', async () => {
  const begin = () => slowCall(t.server.port, { connection_id: 'c-open', query: 'x' });
  expect((await (await begin()).end()).status).toBe(200);
  expect(t.fake.callers.splice(0)).toHaveLength(1);
  const call = await begin();
  const closing = t.server.close();
  await Promise.all([call.end().catch(() => 'cut off'), closing]);
  expect(t.fake.callers).toEqual([]);
  t.server = await t.start();
});

test('a call has the client name and the token of its request, and a wrong or removed token is refused', async () => {
  await t.run({ query: 'x' });
  expect(t.fake.callers).toMatchObject([
    { kind: 'client', clientName: 'probe', token: { id: 'token-1' }, process: null },
  ]);
  expect((await t.run({ query: 'x' }, { Authorization: 'Bearer wrong' })).status).toBe(401);
  t.fake.tokens.delete('good');
  expect((await t.run({ query: 'x' })).status).toBe(401);
});

test('a deeply nested message is answered without an error', async () => {
  const frame = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    deep: 'deep',
  };
  // JSON.stringify would overflow the stack on this message, because it is recursive for numeric keys.
  const deep = `${'{"0":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
  const ask = (method: string, params: object, headers: Record<string, string> = {}) => {
    const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: frame } });
    const version = { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': method };
    return post(t.server.port, text.replace('"deep":"deep"', `"deep":${deep}`), { ...version, ...headers });
  };
  const call = await ask('tools/call', { name: 'list_connections' }, { 'Mcp-Name': 'list_connections' });
  expect([call.status, call.message.error]).toEqual([200, undefined]);
  const list = await ask('tools/list', {});
  expect([list.status, list.message.error]).toEqual([200, undefined]);
  expect(t.logged).toEqual([]);
});

test('a call that the core does not log is logged once, under the name of its tool', async () => {
  await t.call('list_connections', {});
  await t.run({ connection_id: 'No such', query: 'x' });
  await t.run({ query: 'x', nonsense: 1 });
  // The real core logs this call itself. The fake core does not, so the list below has no entry for it.
  await t.run({ query: 'x' });
  expect(t.fake.activity.map(({ action, outcome }) => [action, outcome])).toEqual([
    ['authenticate', 'ok'],
    ['list_connections', 'ok'],
    ['execute_query', 'error'],
    ['execute_query', 'error'],
  ]);
});

test('two requests that are sent together on one socket are both answered', async () => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
  const request = [
    'POST /mcp HTTP/1.1',
    'Host: 127.0.0.1',
    'Authorization: Bearer good',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n');
  const socket = connect(t.server.port, '127.0.0.1').setEncoding('utf8');
  onTestFinished(() => void socket.destroy());
  let received = '';
  socket.on('data', (text: string) => {
    received += text;
  });
  socket.write(request + request);
  // A ping needs an MCP session. Without one, the answer is this error.
  await expect.poll(() => received.match(/Initialize first/g)).toHaveLength(2);
});
