import { once } from 'node:events';
import { connect } from 'node:net';
import fc from 'fast-check';
import { beforeEach, expect } from 'vitest';
import { useTestServer } from '../../packages/mcp-server/src/testing/test-server.ts';
import { fuzz } from './fuzz.ts';
import { anyText, damage, damaged } from './texts.ts';

const t = useTestServer();
// The inputs of a target share a server. Together they must not trigger the rate limit or the lockout.
beforeEach(() => {
  t.fake.core.settings.update({ mcpRequestsPerMinute: 1_000_000, mcpLockoutAttempts: 1_000_000_000 });
});

const _meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'probe', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

interface Sent {
  headers: [string, string][];
  body: string;
}

/** Sends the headers and the body, and reads until the server closes the socket. */
async function exchange({ headers, body }: Sent): Promise<{ status: number; text: string }> {
  const socket = connect(t.server.port, '127.0.0.1');
  socket.on('error', () => {});
  const bytes = Buffer.from(body);
  const head = [
    'POST /mcp HTTP/1.1',
    ...headers.map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${bytes.length}`,
    'Connection: close',
  ];
  socket.write(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), bytes]));
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(socket, 'close');
  const text = Buffer.concat(chunks).toString();
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0), text };
}

const plain: [string, string][] = [
  ['Host', '127.0.0.1'],
  ['Content-Type', 'application/json'],
  ['Accept', 'application/json, text/event-stream'],
  ['MCP-Protocol-Version', '2026-07-28'],
];

/** Expects an answer that is no 500 and shows no stack trace, and no failed request in the server's log. */
function expectHandled({ status, text }: { status: number; text: string }): void {
  expect(status).toBeGreaterThanOrEqual(200);
  expect(status).not.toBe(500);
  expect(text).not.toMatch(/\bat \w+ \(|node_modules|\.ts:\d+/);
  expect(t.logged.filter((line) => line.startsWith('A request failed'))).toEqual([]);
  const bodies = text.split('\r\n\r\n').slice(1).join('\r\n\r\n');
  const found = /\{[\s\S]*\}/.exec(bodies.replaceAll(/\r\n[0-9a-f]+\r\n/g, ''));
  if (status >= 400 && found)
    expect(JSON.parse(found[0])).toMatchObject({ error: { code: expect.any(Number) } });
}

const id = fc.oneof(
  fc.integer(),
  anyText,
  fc.constant(null),
  fc.constant({}),
  fc.double(),
  fc.constant(true),
);
const method = fc.oneof(
  fc.constantFrom(
    'tools/list',
    'tools/call',
    'initialize',
    'ping',
    'resources/read',
    'prompts/get',
    'server/discover',
    'notifications/cancelled',
    'completion/complete',
    'logging/setLevel',
  ),
  anyText,
);
const params = fc.oneof(
  fc.record({
    name: fc.constantFrom('execute_query', 'list_connections', 'browse_table', 'no_such', '__proto__'),
    arguments: fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.record({
        connection_id: fc.constantFrom('c-open', 'c-hidden', 'Twin'),
        query: fc.oneof(anyText, fc.constant('SELECT 1')),
      }),
    ),
    _meta: fc.constant(_meta),
  }),
  fc.jsonValue({ maxDepth: 2 }),
  fc.record(
    {
      _meta: fc.oneof(fc.constant(_meta), fc.jsonValue({ maxDepth: 2 })),
      cursor: fc.jsonValue({ maxDepth: 0 }),
    },
    { requiredKeys: [] },
  ),
);
const envelope = fc
  .record(
    {
      jsonrpc: fc.oneof(
        { weight: 5, arbitrary: fc.constant('2.0') },
        { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 0 }) },
      ),
      id,
      method,
      params,
    },
    { requiredKeys: ['jsonrpc'] },
  )
  .map((message) => JSON.stringify(message));

fuzz({
  name: 'mcp-envelopes',
  holds: 'a message gets an answer that is no 500 and shows no stack trace',
  short: 150,
  weight: 100,
  inputs: fc.record({
    body: envelope,
    damages: fc.array(damage, { maxLength: 1 }),
    version: fc.constantFrom('2026-07-28', '2025-06-18', '2024-11-05', ''),
  }),
  async property({ body, damages, version }) {
    const text = damaged(Buffer.from(body), damages).toString();
    const own = plain.filter(([name]) => name !== 'MCP-Protocol-Version');
    const message = attempt(() => JSON.parse(text) as { method?: unknown; params?: { name?: unknown } });
    const named = [
      ...(isHeader(message?.method) ? [['Mcp-Method', message.method] as [string, string]] : []),
      ...(isHeader(message?.params?.name) ? [['Mcp-Name', message.params.name] as [string, string]] : []),
    ];
    const headers: [string, string][] = [...own, ['Authorization', 'Bearer good'], ...named];
    if (version !== '') headers.push(['MCP-Protocol-Version', version]);
    expectHandled(await exchange({ headers, body: text }));
  },
});

function isHeader(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]+$/.test(value);
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

const listing = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta } });
const headerValue = fc.oneof(
  fc.constantFrom(
    'Bearer good',
    'bearer good',
    'Bearer  good',
    'Bearer good, Bearer bad',
    'Basic Z29vZA==',
    'good',
    'Bearer',
    'Bearer goo',
    'Bearer good\t',
    'Bearer gооd',
  ),
  fc.constantFrom(
    '127.0.0.1',
    'localhost',
    'evil.example',
    '127.0.0.1.evil.example',
    'localhost:99999',
    '[::1]',
    '',
    '127.0.0.1@evil',
  ),
  fc.constantFrom(
    'http://localhost',
    'http://127.0.0.1:1',
    'null',
    'https://evil.example',
    'file://',
    'http://localhost.evil',
  ),
  fc.constantFrom(
    'application/json',
    'text/plain',
    'application/json; charset=utf-16',
    '2026-07-28',
    '1999-01-01',
    'tools/list',
    'tools/call',
  ),
  fc.string({ unit: 'binary-ascii', maxLength: 5 }).map((text) => text.replaceAll(/\p{Cc}/gu, ' ')),
);
const headerName = fc.constantFrom(
  'Host',
  'Origin',
  'Authorization',
  'Content-Type',
  'Accept',
  'MCP-Protocol-Version',
  'Mcp-Method',
  'Mcp-Name',
  'Mcp-Session-Id',
  'X-Forwarded-For',
  'Last-Event-ID',
);

fuzz({
  name: 'mcp-headers',
  holds:
    'tools are listed only with a good token, a loopback host, no foreign origin and a JSON content type',
  short: 150,
  weight: 100,
  inputs: fc.array(fc.tuple(headerName, headerValue), { maxLength: 5 }),
  async property(changes) {
    const names = new Set<string>(changes.map(([name]) => name));
    const usual: [string, string][] = [
      ...plain,
      ['Mcp-Method', 'tools/list'],
      ['Authorization', 'Bearer good'],
    ];
    const headers = [...usual.filter(([name]) => !names.has(name)), ...changes];
    const answer = await exchange({ headers, body: listing });
    if (answer.status !== 400 || answer.text.includes('jsonrpc')) expectHandled(answer);
    if (!answer.text.includes('"tools":')) return;
    const given = (name: string) => headers.filter(([one]) => one === name).map(([, value]) => value.trim());
    expect(given('Authorization').join(', ')).toMatch(/^bearer +good$/i);
    expect(given('Host').join(', ')).toMatch(/^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/);
    expect(given('Origin').join(', ')).toMatch(/^(https?:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d+)?)?$/);
    expect(given('Content-Type').join(', ')).toMatch(/^application\/json/);
  },
});
