import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rawClient } from './raw-client.ts';
import { type RunningServer, runServer } from './running-server.ts';

let running: RunningServer;
beforeAll(async () => {
  running = await runServer();
});
afterAll(() => running.close());

const _meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'probe', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const listing = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta } };
const calling = (name: unknown, args: unknown, more: object = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: args, _meta, ...more },
});

interface Sent {
  body: string | Uint8Array;
  headers?: Record<string, string>;
  method?: string;
}

async function send({ body, headers = {}, method = 'POST' }: Sent) {
  const answer = await fetch(`http://127.0.0.1:${running.server.port}/mcp`, {
    method,
    headers: {
      Authorization: `Bearer ${running.token}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': 'tools/list',
      ...headers,
    },
    body: body as BodyInit,
  });
  return { status: answer.status, text: await answer.text() };
}

const asCall = (name: string) => ({ 'Mcp-Method': 'tools/call', 'Mcp-Name': name });
const json = (value: unknown, headers?: Record<string, string>): Sent => ({
  body: JSON.stringify(value),
  ...(headers && { headers }),
});

/** Each request must be refused with an HTTP status from 400 on, a JSON-RPC error or a tool error, never with a 500. */
test.each<[string, Sent]>([
  ['an empty body', { body: '' }],
  ['a body of one space', { body: ' ' }],
  ['null', { body: 'null' }],
  ['a number', { body: '1e400' }],
  ['an empty list', { body: '[]' }],
  ['a list of calls', json([listing, listing])],
  ['a list of a thousand calls', json(Array.from({ length: 1000 }, () => listing))],
  ['two objects', { body: `${JSON.stringify(listing)}${JSON.stringify(listing)}` }],
  ['a comment before the message', { body: `/* */${JSON.stringify(listing)}` }],
  ['single quotes', { body: "{'jsonrpc':'2.0'}" }],
  ['bytes that are not UTF-8', { body: new Uint8Array([0x7b, 0xff, 0xfe, 0x7d]) }],
  ['UTF-16', { body: new Uint8Array(Buffer.from(JSON.stringify(listing), 'utf16le')) }],
  [
    'a compressed body',
    { body: new Uint8Array(gzipSync(JSON.stringify(listing))), headers: { 'Content-Encoding': 'gzip' } },
  ],
  [
    'a compressed bomb',
    { body: new Uint8Array(gzipSync(Buffer.alloc(50_000_000, 32))), headers: { 'Content-Encoding': 'gzip' } },
  ],
  ['a form', { body: 'jsonrpc=2.0', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }],
  ['another content type', json(listing, { 'Content-Type': 'text/json' })],
  [
    'JSON as the second of two content types',
    json(listing, { 'Content-Type': 'text/plain, application/json' }),
  ],
  [
    'deep nesting',
    {
      body: `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":${'['.repeat(200_000)}${']'.repeat(200_000)}}`,
    },
  ],
  ['another version of JSON-RPC', json({ ...listing, jsonrpc: '1.0' })],
  ['no version of JSON-RPC', json({ id: 1, method: 'tools/list' })],
  ['an id that is an object', json({ ...listing, id: { a: 1 } })],
  ['an id that is a list', json({ ...listing, id: [1] })],
  ['an id that is true', json({ ...listing, id: true })],
  ['an id that is null', json({ ...listing, id: null })],
  ['a method that is not text', json({ ...listing, method: 7 })],
  ['an empty method', json({ ...listing, method: '' }, { 'Mcp-Method': '' })],
  ['the method __proto__', json({ ...listing, method: '__proto__' }, { 'Mcp-Method': '__proto__' })],
  ['the method constructor', json({ ...listing, method: 'constructor' }, { 'Mcp-Method': 'constructor' })],
  [
    'a sampling request, which only a server may send',
    json({ ...listing, method: 'sampling/createMessage' }, { 'Mcp-Method': 'sampling/createMessage' }),
  ],
  [
    'a question to the user, which only a server may send',
    json({ ...listing, method: 'elicitation/create' }, { 'Mcp-Method': 'elicitation/create' }),
  ],
  [
    'a request for roots, which only a server may send',
    json({ ...listing, method: 'roots/list' }, { 'Mcp-Method': 'roots/list' }),
  ],
  ['a header that names another method', json(calling('list_connections', {}))],
  [
    'a header that names another tool',
    json(calling('execute_query', { connection_id: 'Open', query: 'SELECT 1' }), asCall('list_connections')),
  ],
  ['parameters that are a list', json({ ...listing, params: [_meta] })],
  ['parameters that are a text', json({ ...listing, params: 'x' })],
  ['no _meta', json({ ...listing, params: {} })],
  ['a _meta that is a list', json({ ...listing, params: { _meta: [] } })],
  [
    'a protocol version that is not text',
    json({ ...listing, params: { _meta: { ..._meta, 'io.modelcontextprotocol/protocolVersion': 1 } } }),
  ],
  ['a future protocol version', json(listing, { 'MCP-Protocol-Version': '2999-01-01' })],
  ['a protocol version with a path', json(listing, { 'MCP-Protocol-Version': '../2026-07-28' })],
  ['the tool __proto__', json(calling('__proto__', {}), asCall('__proto__'))],
  ['the tool toString', json(calling('toString', {}), asCall('toString'))],
  ['a tool whose name is a list', json(calling(['list_connections'], {}), asCall('list_connections'))],
  ['a tool name with spaces around it', json(calling(' list_connections ', {}), asCall('list_connections'))],
  ['a tool name in capitals', json(calling('LIST_CONNECTIONS', {}), asCall('LIST_CONNECTIONS'))],
  ['arguments that are a list', json(calling('list_connections', []), asCall('list_connections'))],
  ['arguments that are a text', json(calling('list_connections', 'x'), asCall('list_connections'))],
  [
    'an MCP session that does not exist',
    json(
      { jsonrpc: '2.0', id: 1, method: 'ping' },
      { 'MCP-Protocol-Version': '2025-11-25', 'Mcp-Session-Id': 'guess', 'Mcp-Method': 'ping' },
    ),
  ],
  ['PUT', { ...json(listing), method: 'PUT' }],
  ['PATCH', { ...json(listing), method: 'PATCH' }],
])('%s is refused, and the server continues', async (_, sent) => {
  const { status, text } = await send(sent);
  const refused = status >= 400 || /"error":|"isError":true/.test(text);
  expect([refused, status === 500, /at .*\.(ts|js):\d+/.test(text)]).toEqual([true, false, false]);
  expect((await rawClient(running).ask('tools/list')).status).toBe(200);
});

/** Each request names a thing that does not exist or that this client may not see, or has an invalid value. */
test.each([
  ['resources/read', { uri: 'file:///etc/passwd' }],
  ['resources/read', { uri: 'trestle://connections/../../etc/passwd' }],
  ['resources/read', { uri: 'trestle://connections/%2e%2e%2f%2e%2e' }],
  ['resources/read', { uri: 'trestle://connections/__proto__' }],
  ['resources/read', { uri: 'trestle://user:pass@connections/x' }],
  ['resources/read', { uri: 'http://127.0.0.1/' }],
  ['resources/read', { uri: 'TRESTLE://CONNECTIONS/x' }],
  ['resources/read', { uri: 'trestle://exports/../trestle.db' }],
  ['resources/read', { uri: 'trestle://exports/%00' }],
  ['resources/read', { uri: `trestle://connections/${'x'.repeat(4_000)}` }],
  ['resources/subscribe', { uri: 'file:///etc/passwd' }],
  ['prompts/get', { name: '__proto__', arguments: {} }],
  ['prompts/get', { name: 'explain_schema', arguments: { connection_id: 'Blocked' } }],
  ['prompts/get', { name: 'explain_schema', arguments: { connection_id: ['Open'] } }],
  [
    'completion/complete',
    { ref: { type: 'ref/prompt', name: '__proto__' }, argument: { name: 'x', value: '' } },
  ],
  ['completion/complete', { ref: { type: 'ref/file', name: '/etc' }, argument: { name: 'x', value: '' } }],
  ['tools/list', { cursor: '../../x' }],
  ['resources/list', { cursor: 'AAAA' }],
  ['logging/setLevel', { level: '__proto__' }],
])('%s %j reveals no file content and no stack trace', async (method, params) => {
  const { status, message } = await rawClient(running).ask(method, params as Record<string, unknown>);
  const text = JSON.stringify(message);
  expect(status).not.toBe(500);
  expect(text).not.toMatch(/root:|SQLite format|node:internal/);
  if (method !== 'completion/complete' && !method.endsWith('list')) expect(message.error).toBeDefined();
});

/** Invalid or hostile arguments. */
test.each([
  ['execute_query', { connection_id: { $ne: null }, query: 'SELECT 1' }],
  ['execute_query', { connection_id: 'Open', query: ['SELECT 1'] }],
  ['execute_query', { connection_id: 'Open', query: 'SELECT 1', ceiling: 'destroy' }],
  ['execute_query', { connection_id: 'Open', query: 'SELECT 1', approved: true }],
  ['execute_query', { connection_id: 'Open', query: 'SELECT 1', caller: { kind: 'person' } }],
  ['execute_query', { connection_id: 'Open', query: 'DROP TABLE planets', confirmed: true }],
  [
    'confirm_destructive_operation',
    { connection_id: 'Open', query: 'DROP TABLE planets', confirmation_phrase: 'yes' },
  ],
  ['browse_table', { connection_id: 'Open', table: 'planets', limit: -1 }],
  ['browse_table', { connection_id: 'Open', table: 'planets', limit: 1e12 }],
  ['browse_table', { connection_id: 'Open', table: 'planets', offset: -5 }],
  ['browse_table', { connection_id: 'Open', table: { toString: 'planets' } }],
  ['export_data', { connection_id: 'Open', table: 'planets', format: 'csv', path: '/etc/x' }],
  ['export_data', { connection_id: 'Open', table: 'planets', format: '../x' }],
  ['export_data', { connection_id: 'Open', table: 'planets', format: 'csv', file_name: '../../x.csv' }],
  ['insert_rows', { connection_id: 'Open', table: 'planets', rows: { length: 1 } }],
  ['update_rows', { connection_id: 'Open', table: 'planets', changes: [{ key: {}, values: { name: 'x' } }] }],
  ['delete_rows', { connection_id: 'Open', table: 'planets', keys: [{}] }],
  ['delete_rows', { connection_id: 'Open', table: 'planets', keys: [{ id: { $gt: 0 } }] }],
  ['open_table_tab', { connection_id: 'Open', table: 'javascript:alert(1)' }],
  ['search_query_history', { query: "' OR 1 = 1 --", limit: 1e9 }],
])('%s %j does not change the number of rows', async (name, args) => {
  const rows = async () =>
    (
      await rawClient(running).call('execute_query', {
        connection_id: 'Open',
        query: 'SELECT count(*) FROM planets',
      })
    ).text;
  // On a slow machine, the answer may name the duration of the statement.
  const count = (text: string) => text.replaceAll(/\d{9,}/g, '#').replace(/\nIt took [\d.]+ s\./, '');
  const before = count(await rows());
  const { status } = await rawClient(running).call(name, args);
  expect(status).not.toBe(500);
  expect(count(await rows())).toBe(before);
});
