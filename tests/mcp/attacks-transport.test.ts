import { createServer, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { post } from '../../packages/mcp-server/src/testing/post.ts';
import { slowCall } from '../../packages/mcp-server/src/testing/slow-call.ts';
import { rawClient } from './raw-client.ts';
import { endless, handshakeOf, type RunningServer, runServer } from './running-server.ts';
import { untilRunning } from './until-running.ts';

let running: RunningServer;
let logged: string[];
beforeEach(async () => {
  logged = [];
  const log = (line: string) => {
    logged.push(line);
  };
  running = await runServer({
    log,
    coreOptions: { log: pino({ level: 'trace' }, { write: (line: string) => log(line) }) },
  });
});
afterEach(() => running.close());

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'old', version: '1' } },
};
const endlessCall = {
  jsonrpc: '2.0',
  id: 7,
  method: 'tools/call',
  params: { name: 'execute_query', arguments: { connection_id: 'Open', query: endless } },
};
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const lastOutcome = () =>
  running.core.history
    .search({ connectionIds: [running.connections.open.id], limit: 20 })
    .find(({ text }) => text === endless)?.outcome;

describe('a web page', () => {
  /** Sends a valid token, since a page may have got one from its user by a trick. */
  const send = (headers: Record<string, string>, method = 'POST') =>
    new Promise<number | undefined>((resolve, reject) => {
      const options = { host: '127.0.0.1', port: running.server.port, path: '/mcp', method };
      const all = { ...bearer(running.token), 'Content-Type': 'application/json', ...headers };
      httpRequest({ ...options, headers: all }, (response) => resolve(response.resume().statusCode))
        .on('error', reject)
        .end('{}');
    });

  test.each([
    'evil.example',
    'evil.example:80',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    '127.0.0.1@evil.example',
    '2130706434',
    '0x7f000002',
    '169.254.169.254',
    '',
  ])('that rebinds its name to this machine (Host %j) is refused', async (host) => {
    const status = await send({ Host: host });
    expect([400, 403]).toContain(status);
  });

  test.each([
    'https://evil.example',
    'http://127.0.0.1.evil.example',
    'http://localhost.evil.example',
    'null',
    'file://',
    'chrome-extension://abc',
    'http://evil.example:23508',
  ])('from %s is refused', async (Origin) => {
    expect(await send({ Origin })).toBe(403);
  });

  test('gets 405 for a preflight, and no CORS header', async () => {
    const response = await fetch(`http://127.0.0.1:${running.server.port}/mcp`, {
      method: 'OPTIONS',
      headers: { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'POST' },
    });
    expect(response.status).toBe(405);
    expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  test('cannot send requests that need no preflight: a form or plain text', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
      expect(await send({ 'Content-Type': type })).toBe(415);
    }
  });
});

describe('an MCP session', () => {
  test('of one token does not let another token cancel a call', async () => {
    const opened = await post(running.server.port, initialize, bearer(running.token));
    const session = { 'Mcp-Session-Id': opened.headers.get('mcp-session-id') ?? '' };
    const call = post(running.server.port, endlessCall, { ...bearer(running.token), ...session });
    await untilRunning(running, running.connections.open);
    const stranger = bearer(running.createToken({ name: 'stranger' }).secret);
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } };
    expect((await post(running.server.port, cancel, { ...stranger, ...session })).status).toBe(404);
    // In the stranger's own MCP session, this request id does not mean the running call.
    const own = await post(running.server.port, initialize, stranger);
    const ownSession = { 'Mcp-Session-Id': own.headers.get('mcp-session-id') ?? '' };
    expect((await post(running.server.port, cancel, { ...stranger, ...ownSession })).status).toBe(202);
    await delay(200);
    expect(lastOutcome()).toBeUndefined();
    expect((await post(running.server.port, cancel, { ...bearer(running.token), ...session })).status).toBe(
      202,
    );
    await expect.poll(lastOutcome).toBe('cancelled');
    await call;
  });

  test('of one bridge process cannot be used by another', async () => {
    const { token } = handshakeOf(running);
    const as = (process: string) => ({ ...bearer(token), 'Trestle-Bridge-Process': process });
    const opened = await post(running.server.port, initialize, as('p-1'));
    const session = { 'Mcp-Session-Id': opened.headers.get('mcp-session-id') ?? '' };
    const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' };
    expect((await post(running.server.port, list, { ...as('p-2'), ...session })).status).toBe(404);
    expect((await post(running.server.port, list, { ...as('p-1'), ...session })).status).toBe(200);
  });
});

describe('access that ends', () => {
  test('the running call of a revoked or deleted token ends, and its next requests are refused', async () => {
    for (const end of ['revoke', 'remove'] as const) {
      const { id, secret } = running.createToken({ name: end });
      const client = rawClient(running, secret);
      const call = client.call('execute_query', { connection_id: 'Open', query: endless });
      await untilRunning(running, running.connections.open);
      running.core.tokens[end](id);
      expect(await call).toMatchObject({ isError: true, text: expect.stringMatching(/^user_cancelled: /) });
      for (const method of ['tools/list', 'server/discover']) {
        expect((await client.ask(method)).message.error?.code).toBe(-33009);
      }
    }
  });

  test('a token that is revoked while its request arrives starts no call', async () => {
    const { id, secret } = running.createToken({ name: 'revoked' });
    const insert = { connection_id: 'Open', query: "INSERT INTO planets VALUES ('Pluto', 5)" };
    const call = await slowCall(running.server.port, insert, secret);
    running.core.tokens.revoke(id);
    const { status, text } = await call.end();
    expect([status, JSON.parse(text).error.code]).toEqual([401, -33009]);
    const all = { connection_id: 'Open', table: 'planets', count_only: true };
    expect((await rawClient(running).call('browse_table', all)).text).toBe('4 rows');
  });

  test('an expired token has its own error code', async () => {
    const hour = 3_600_000;
    const { secret } = running.createToken({ expiresAt: new Date(Date.now() + hour).toISOString() });
    const client = rawClient(running, secret);
    expect((await client.call('list_connections')).isError).toBe(false);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * hour });
    onTestFinished(() => void vi.useRealTimers());
    const answer = await client.ask('tools/list');
    expect([answer.status, answer.message.error?.code]).toEqual([401, -33008]);
  });

  test('lower access to a connection applies from the next call on, to tools, resources and prompts', async () => {
    const client = rawClient(running);
    const { open } = running.connections;
    const { id, storedSecrets: _, sample: __, createdAt: ___, updatedAt: ____, ...draft } = open;
    const insert = { connection_id: id, table: 'planets', rows: [{ name: 'Pluto', moons: 5 }] };
    await running.core.connections.update(id, { ...draft, externalClients: 'readOnly' });
    expect((await client.call('insert_rows', insert)).text).toMatch(/^denied: Connection is read only/);
    const doors = async () => [
      (await client.call('list_tables', { connection_id: id })).code,
      (await client.call('list_tables', { connection_id: id, search: 'moons' })).code,
      (await client.call('search_query_history', { connection_id: id })).code,
      (await client.call('export_data', { connection_id: id, query: 'SELECT 1' })).code,
      (await client.ask('resources/read', { uri: `trestle://connections/${id}/tables` })).message.error?.code,
      (await client.ask('prompts/get', { name: 'explain_schema', arguments: { connection_id: id } })).message
        .error?.code,
    ];
    for (const change of [{ externalClients: 'blocked' }, { aiPolicy: 'never' }] as const) {
      await running.core.connections.update(id, { ...draft, ...change });
      expect(await doors()).toEqual(Array.from({ length: 6 }, () => -33007));
      const { rows } = await client.call('list_connections');
      expect(rows.map(([name]) => name)).toEqual(['Read only', 'Asks']);
    }
    await running.core.connections.update(id, draft);
    expect((await client.call('list_tables', { connection_id: id })).isError).toBe(false);
  });

  test('the id of a removed connection is not found', async () => {
    const client = rawClient(running);
    const { id } = running.connections.open;
    await running.core.connections.remove(id);
    expect((await client.call('list_tables', { connection_id: id })).text).toMatch(/^not_found: /);
  });
});

test('the check of the activity log detects a changed row, and a removed last row', async () => {
  const client = rawClient(running);
  for (let count = 0; count < 5; count++) await client.call('list_tables', { connection_id: 'Open' });
  expect(await running.core.activity.verify()).toMatchObject({ ok: true });
  // Writes to the app's database without the app, like another program of the user.
  const write = (sql: string) => {
    const database = new DatabaseSync(join(running.home, 'trestle.db'));
    database.exec(sql);
    database.close();
  };
  const last = 'activity WHERE id = (SELECT max(id) FROM activity)';
  write(`CREATE TABLE kept AS SELECT * FROM ${last}; DELETE FROM ${last}`);
  expect(await running.core.activity.verify()).toMatchObject({ ok: false, problem: expect.any(String) });
  write('INSERT INTO activity SELECT * FROM kept; DROP TABLE kept');
  expect(await running.core.activity.verify()).toMatchObject({ ok: true });
  write("UPDATE activity SET outcome = 'denied' WHERE id = (SELECT min(id) + 1 FROM activity)");
  expect(await running.core.activity.verify()).toMatchObject({ ok: false, problem: expect.any(String) });
});

test('answers and logs contain no secret, even if the database server repeats all headers of a request', async () => {
  const apiKey = 'hunter2-key';
  const providerKey = 'sk-provider-secret';
  const received: IncomingHttpHeaders[] = [];
  const server = createServer(({ headers }, response) => {
    received.push(headers);
    response.writeHead(401).end(JSON.stringify({ error: [{ message: JSON.stringify(headers) }] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const fields = {
    host: '127.0.0.1',
    port,
    authMethod: 'apiKey',
    apiKey,
    sslMode: 'disabled',
    providerKeys: [{ name: 'X-OpenAI-Api-Key', value: providerKey }],
  };
  const connection = await running.connectWeaviate('Keyed', port, { fields });
  await running.connectWeaviate('Absent', 1, { fields: { ...fields, port: 1 } });
  const client = rawClient(running);
  const answers = [
    await client.call('list_tables', { connection_id: 'Keyed' }),
    await client.call('execute_query', { connection_id: 'Keyed', query: 'GET /meta' }),
    await client.call('list_tables', { connection_id: 'Absent' }),
    await client.call('list_connections'),
    await client.ask('resources/read', { uri: `trestle://connections/${connection.id}/tables` }),
    await client.ask('resources/read', { uri: 'trestle://connections' }),
    await rawClient(running, `${running.token}x`).ask('tools/list'),
  ];
  expect(received).toContainEqual(expect.objectContaining({ authorization: `Bearer ${apiKey}` }));
  // None of these calls needs a model, so the key of the provider stays here.
  expect(JSON.stringify(received)).not.toContain(providerKey);
  const seen = JSON.stringify([answers, logged, running.core.activity.list({ limit: 100 })]);
  const { token } = handshakeOf(running);
  for (const secret of [apiKey, providerKey, running.token, token]) expect(seen).not.toContain(secret);
});

describe('floods', () => {
  test('a stranger who opens 1,200 sockets does not lock out a client', async () => {
    const works = async () => !(await rawClient(running).call('list_connections')).isError;
    const held: Socket[] = [];
    const isOpen = new Set<Socket>();
    onTestFinished(() => {
      for (const socket of held) socket.destroy();
    });
    const hold = () => {
      const socket = connect(running.server.port, '127.0.0.1', () => isOpen.add(socket));
      socket.on('error', () => {}).on('close', () => isOpen.delete(socket));
      // The start of a request that never ends.
      socket.write('POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n');
      held.push(socket);
    };
    for (let round = 0; round < 4; round += 1) {
      for (let count = 0; count < 300; count += 1) hold();
      expect(await works()).toBe(true);
    }
    await expect.poll(() => isOpen.size).toBeLessThanOrEqual(512);
    expect(await works()).toBe(true);
  });

  test('fifty slow clients get an answer while hundreds of other sockets reconnect whenever they are closed', async () => {
    const { port } = running.server;
    const stranger = new AbortController();
    const sockets: Socket[] = [];
    onTestFinished(() => {
      stranger.abort();
      for (const socket of sockets) socket.destroy();
    });
    const hold = () => {
      if (stranger.signal.aborted) return;
      const socket = connect(port, '127.0.0.1').on('error', () => {});
      socket.write('POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n');
      socket.on('close', hold);
      sockets.push(socket);
    };
    for (let count = 0; count < 256; count += 1) hold();
    const newcomers = await Promise.all(Array.from({ length: 50 }, () => connected(port)));
    sockets.push(...newcomers);
    // This pause is shorter than the ten seconds that a socket has to send its token.
    await new Promise((done) => setTimeout(done, 2_000));
    for (let count = 0; count < 200; count += 1) hold();
    const answers = await Promise.all(newcomers.map((socket) => statusOf(socket, port, running.token)));
    expect(answers).toEqual(Array(50).fill('HTTP/1.1 200 OK'));
  });

  test('a client in the middle of a call keeps its socket while 400 other sockets connect', async () => {
    const answer = rawClient(running).call('list_connections');
    for (let count = 0; count < 400; count += 1) {
      const socket = connect(running.server.port, '127.0.0.1').on('error', () => {});
      onTestFinished(() => void socket.destroy());
    }
    expect((await answer).isError).toBe(false);
  });

  test('a failed authentication is in the activity log', async () => {
    await rawClient(running, 'trs_wrong').ask('tools/list');
    expect(running.core.activity.list({ limit: 1 })).toMatchObject([
      { action: 'authenticate', outcome: 'denied', tokenName: null },
    ]);
    expect(await running.core.activity.verify()).toMatchObject({ ok: true });
  });
});

function connected(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket)).on('error', reject);
  });
}

/** Sends a whole request and returns the first line of its answer. If there is no answer, returns the reason. */
function statusOf(socket: Socket, port: number, token: string): Promise<string> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: initializing });
  const head = [
    'POST /mcp HTTP/1.1',
    `Host: 127.0.0.1:${port}`,
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return new Promise((resolve) => {
    if (socket.destroyed) resolve('closed');
    socket.removeAllListeners('error');
    socket.on('error', (error) => resolve(error.message)).on('close', () => resolve('closed'));
    socket.once('data', (chunk: Buffer) => resolve(chunk.toString().split('\r\n')[0] ?? ''));
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  });
}

const initializing = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'newcomer', version: '1' },
};
