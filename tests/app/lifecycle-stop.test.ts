import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { packWire } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { postModern } from '../../packages/mcp-server/src/testing/post.ts';
import { enterWindow } from '../enter-window.ts';
import { createHome, type Home, type RunningApp } from './trestle.ts';

/** The log must report a clean close, and the handshake, the socket and the WAL of trestle.db must be gone. */
function expectClosed(home: Home): void {
  const lines = readFileSync(join(home.folder, 'logs', 'trestle.log'), 'utf8')
    .trimEnd()
    .split('\n');
  const records = lines.map((line) => JSON.parse(line) as { msg: string; level: number });
  const end = records.findIndex(({ msg }) => msg === 'closed');
  expect(records[end]).toMatchObject({ clean: true });
  expect(records.slice(end).filter(({ level }) => level > 40)).toEqual([]);
  const left = ['mcp-handshake.json', 'control.sock', 'trestle.db-wal'].filter((name) =>
    existsSync(join(home.folder, name)),
  );
  expect(left).toEqual([]);
}

async function openWindow(app: RunningApp) {
  const { origin, headers } = await enterWindow(app.link);
  const post = (path: string, type: string, body: BodyInit) =>
    fetch(`${origin}${path}`, { method: 'POST', headers: { ...headers, 'content-type': type }, body });
  return {
    json: (path: string, body: unknown) => post(path, 'application/json', JSON.stringify(body) ?? ''),
    data: (method: string, body: unknown) =>
      post(`/data/${method}`, 'application/octet-stream', packWire(body)),
    events: () => fetch(`${origin}/events`, { headers }),
  };
}

async function sampleOf(home: Home, driver: string): Promise<string> {
  const connections = (await home.ask('connections.list')) as { id: string; driver: string }[];
  return connections.find((one) => one.driver === driver)!.id;
}

const ways = {
  Quit: async (home: Home, app: RunningApp) => {
    const window = await openWindow({ ...app, link: await freshLink(home) });
    await window.json('/api/app.quit', undefined);
  },
  'trestle stop': async (home: Home) => void (await home.run(['stop'])),
  SIGTERM: (_home: Home, app: RunningApp) => void app.process.kill('SIGTERM'),
  'Ctrl-C': (_home: Home, app: RunningApp) => void app.process.kill('SIGINT'),
};

async function freshLink(home: Home): Promise<string> {
  return ((await home.ask('link')) as { link: string }).link;
}

async function beginExport(home: Home, app: RunningApp): Promise<void> {
  const window = await openWindow(app);
  const connectionId = await sampleOf(home, 'sqlite');
  const answer = await window.data('export', {
    connectionId,
    request: { table: 'big', filters: [], match: 'all', sort: [], columns: ['n'] },
    rows: { kind: 'all' },
    format: 'csv',
    escapeFormulas: false,
  });
  expect(await answer.json()).toMatchObject({ id: expect.any(String) });
}

async function fillTable(home: Home, app: RunningApp): Promise<RunningApp> {
  const window = await openWindow(app);
  const connectionId = await sampleOf(home, 'sqlite');
  const run = async (text: string) =>
    expect((await window.data('runQuery', { connectionId, request: { text, limit: 1 } })).status).toBe(200);
  await run('CREATE TABLE big (n INTEGER)');
  await run(
    'INSERT INTO big WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 50000) SELECT n FROM c',
  );
  return { ...app, link: await freshLink(home) };
}

test.each(Object.entries(ways))(
  '%s closes everything while an export waits to be fetched',
  async (_, stop) => {
    const home = createHome();
    const app = await home.start();
    await beginExport(home, await fillTable(home, app));
    await stop(home, app);
    expect(await app.exited).toBe(0);
    expectClosed(home);
  },
);

test('SIGTERM closes everything while a driver hangs in a query and a save', async () => {
  const home = createHome();
  const app = await home.start();
  const window = await openWindow(app);
  const connectionId = await sampleOf(home, 'weaviate');
  const status = await (await window.json('/api/sessions.open', connectionId)).text();
  const pid = Number(/"pid":(\d+)/.exec(status)?.[1]);
  process.kill(pid, 'SIGSTOP');
  const request = { text: 'GET /meta', limit: 1 };
  const changes = { table: 'Species', changes: [{ kind: 'insert', id: '1', values: {} }] };
  const staged = { id: '1', kind: 'insert', row: '1', values: {} };
  const commands = [{ kind: 'stage', steps: [staged] }];
  const edits = { table: 'Species', since: null, window: randomUUID(), first: 1, commands };
  await window.data('syncStaged', { connectionId, request: edits });
  const calls = [
    window.data('runQuery', { connectionId, request }),
    window.data('applyChanges', { id: randomUUID(), connectionId, request: changes }),
  ].map((call) => call.catch(() => {}));
  // This later request gives both calls the time to reach the app.
  await window.json('/api/app.info', undefined);
  app.process.kill('SIGTERM');
  expect(await app.exited).toBe(0);
  expectClosed(home);
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  await Promise.all(calls);
});

test('Ctrl-C closes everything despite an endless statement, an open window and a client that listens', async () => {
  const home = createHome();
  const app = await home.start();
  const window = await openWindow(app);
  const events = await window.events();
  expect(events.status).toBe(200);
  const { secret } = await home.json('tokens', 'create', '--name', 'listener', '--permission', 'readWrite');
  const { mcpPort } = await home.json('status');
  const headers = { Authorization: `Bearer ${secret}` };
  const notifications = { resourcesListChanged: true };
  const stream = postModern(mcpPort, 'subscriptions/listen', { notifications }, headers);
  const query =
    'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) INSERT INTO big SELECT count(*) FROM n';
  await fillTable(home, { ...app, link: await freshLink(home) });
  const connectionId = await sampleOf(home, 'sqlite');
  const call = { name: 'execute_query', arguments: { connection_id: connectionId, query } };
  const running = postModern(mcpPort, 'tools/call', call, headers).catch(() => {});
  const storage = new DatabaseSync(join(home.folder, 'trestle.db'), { readOnly: true });
  await expect.poll(() => storage.prepare('SELECT count(*) AS n FROM call_intents').get()?.n).toBe(1);
  storage.close();
  app.process.kill('SIGINT');
  expect(await app.exited).toBe(0);
  expectClosed(home);
  await Promise.allSettled([running, events.text(), stream]);
  // The log has the end of the statement, and no intent is left.
  const after = new DatabaseSync(join(home.folder, 'trestle.db'), { readOnly: true });
  expect(after.prepare('SELECT count(*) AS n FROM call_intents').get()?.n).toBe(0);
  const last = after.prepare("SELECT outcome FROM activity WHERE action = 'query'").all();
  expect(last).toEqual([{ outcome: 'cancelled' }]);
  after.close();
});

test('more signals do not disturb the close that the first signal began', async () => {
  const home = createHome();
  const app = await home.start();
  await beginExport(home, await fillTable(home, app));
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGTERM', 'SIGHUP'] as const) app.process.kill(signal);
  expect(await app.exited).toBe(0);
  expectClosed(home);
});

test('a signal at each of ten moments of the start closes everything', async () => {
  for (let moment = 0; moment < 10; moment++) {
    const home = createHome();
    const starting = home.start();
    const log = join(home.folder, 'logs', 'trestle.log');
    await expect.poll(() => existsSync(log) && readFileSync(log, 'utf8').includes('\n')).toBe(true);
    const { pid } = JSON.parse(readFileSync(log, 'utf8').split('\n')[0]!);
    await new Promise((resolve) => setTimeout(resolve, moment * 60));
    process.kill(pid, 'SIGTERM');
    const code = await starting.then(
      (app) => app.exited,
      (error: Error) => /ended with (\S+):/.exec(error.message)?.[1],
    );
    expect([moment, Number(code)]).toEqual([moment, 0]);
    expectClosed(home);
  }
});
