import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { KnownFrames } from './known-frames.ts';
import { startMcpServer } from './server.ts';
import { createFakeCore, rowsResult } from './testing/fake-core.ts';

/** Short in every run of the tests; `TRESTLE_FUZZ_CASES=20000` for the long form. */
const cases = Number(process.env.TRESTLE_FUZZ_CASES ?? 1_000);
const seed = Number(process.env.TRESTLE_FUZZ_SEED ?? 20260728);

const agent = new Agent({ keepAlive: true });
/** With fixtures, if only none of them, every message goes through the protocol layer. */
const through = open({ extend: () => ({ tools: {} }) });
const direct = open({});
let servers: Awaited<ReturnType<typeof startMcpServer>>[] = [];

function open(options: Partial<Parameters<typeof startMcpServer>[0]>) {
  const home = mkdtempSync(join(tmpdir(), 'mcp-frames-'));
  const fake = createFakeCore({ mcpRequestsPerMinute: 1_000_000 });
  fake.respond([rowsResult([['"quoted" \u2028 <é>'], [null], [9007199254740993n]])]);
  const start = () =>
    startMcpServer({ core: fake.core, home, appVersion: '1.2.3', log: () => {}, ...options });
  return { home, fake, start };
}

beforeAll(async () => {
  servers = await Promise.all([through.start(), direct.start()]);
});
afterAll(async () => {
  agent.destroy();
  await Promise.all(servers.map((server) => server.close()));
  for (const { home } of [through, direct]) rmSync(home, { recursive: true, force: true });
});

test(`${cases} calls, most of them changed somehow: known frames are answered as the protocol layer answers`, {
  timeout: 60_000 + cases * 50,
}, async () => {
  const found = vi.spyOn(KnownFrames.prototype, 'find');
  const random = randomFrom(seed);
  for (let number = 0; number < cases; number++) {
    const sent = changed(plainCall(number, random), random);
    // Twice: what is known of a message that was changed shows only when it comes again.
    for (let time = 0; time < 2; time++) {
      const [expected, answered] = await Promise.all(servers.map(({ port }) => ask(port, sent)));
      expect([sent, answered, direct.fake.activity.map(logged)]).toEqual([
        sent,
        expected,
        through.fake.activity.map(logged),
      ]);
      for (const { fake } of [through, direct]) fake.activity.length = 0;
    }
  }
  const shortened = found.mock.results.filter(({ value }) => value !== undefined).length;
  expect(shortened).toBeGreaterThan(cases / 5);
});

interface Sent {
  headers: Record<string, unknown>;
  body: Record<string, unknown>;
}

function plainCall(id: number, random: Random): Sent {
  const [name, args] = structuredClone(pick(calls, random));
  return {
    headers: {
      authorization: 'Bearer good',
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': name,
    },
    body: { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args, _meta: meta() } },
  };
}

const calls: [string, object][] = [
  ['execute_query', { connection_id: 'c-open', query: 'x' }],
  ['execute_query', { connection_id: 'Open', query: 'break' }],
  ['execute_query', { connection_id: 'c-hidden', query: 'x' }],
  ['execute_query', { connection_id: 'nowhere', query: 'x' }],
  ['execute_query', { query: 1, nonsense: true }],
  ['list_connections', {}],
  ['list_tables', { connection_id: 'c-open' }],
];

const meta = () => ({
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'probe', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
});

/** Half of them stay as they are, so that there is something known. */
function changed(sent: Sent, random: Random): Sent {
  for (let count = Math.max(0, random(4) - 1); count > 0; count--) {
    const params = (sent.body.params ?? {}) as Record<string, unknown>;
    const parts = [
      sent.headers,
      sent.body,
      params,
      params._meta,
      params.arguments,
      (params._meta as Record<string, unknown> | undefined)?.['io.modelcontextprotocol/clientInfo'],
    ].filter((part): part is Record<string, unknown> => typeof part === 'object' && part !== null);
    const part = pick(parts, random);
    const name = random(3) === 0 ? pick(names, random) : pick([...Object.keys(part), 'more'], random);
    // Without its token a message is refused before anybody looks at the rest, and too many lock the server.
    if (name === 'authorization' || (part === sent.headers && name.includes('/'))) continue;
    if (random(4) === 0) delete part[name];
    else if (part === sent.headers) part[name] = String(pick(texts, random));
    else setOwn(part, name, structuredClone(pick(values, random)));
  }
  return sent;
}

/** Assigned, `__proto__` would be no part of the text. */
function setOwn(part: object, name: string, value: unknown): void {
  Object.defineProperty(part, name, { value, enumerable: true, writable: true, configurable: true });
}

const names = [
  'id',
  'jsonrpc',
  'method',
  'params',
  'name',
  'arguments',
  '_meta',
  '__proto__',
  'task',
  'inputResponses',
  'requestState',
  'progressToken',
  'io.modelcontextprotocol/logLevel',
  'mcp-session-id',
  'mcp-param-query',
  'x-other',
];
const texts = [
  '',
  'tools/list',
  'tools/call',
  'list_connections',
  '2025-11-25',
  '2026-07-28',
  'text/plain',
  '*/*',
];
const values = [
  null,
  0,
  1.5,
  -1,
  '',
  'x',
  'list_connections',
  'tools/list',
  true,
  [],
  [1],
  {},
  { a: 1 },
  '2.0',
];

/** All that a client gets, but for what is another each time. */
async function ask(port: number, { headers, body }: Sent): Promise<unknown> {
  const bytes = Buffer.from(JSON.stringify(body));
  const sent = { ...headers, 'content-length': bytes.length } as Record<string, string | number>;
  return new Promise((resolve, reject) => {
    request({ port, host: '127.0.0.1', path: '/mcp', method: 'POST', agent, headers: sent }, (response) => {
      textOf(response).then((text) => {
        const type = response.headers['content-type'];
        resolve([response.statusCode, type, text.replace(/data-[0-9a-f]{12}/g, 'data-…')]);
      }, reject);
    })
      .on('error', reject)
      .end(bytes);
  });
}

function logged({ action, clientName, outcome, detail }: (typeof direct.fake.activity)[number]) {
  return { action, clientName, outcome, detail };
}

type Random = (below: number) => number;

function pick<T>(list: readonly T[], random: Random): T {
  return list[random(list.length)] as T;
}

function randomFrom(start: number): Random {
  let state = start >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
