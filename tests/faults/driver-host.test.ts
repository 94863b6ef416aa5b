import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../e2e/app.ts';
import { busyHost, endless, isAlive } from './busy-host.ts';
import { type McpClient, openMcp } from './mcp-client.ts';
import { openWindow, type WindowClient } from './window-client.ts';

let app: TestApp;
let window: WindowClient;
let mcp: McpClient;
let sample: string;

beforeAll(async () => {
  app = await startApp();
  window = await openWindow(app);
  sample = (await app.sample()).id;
  mcp = await openMcp(app);
});
afterAll(async () => {
  await mcp?.close();
  await app?.close();
});
beforeEach(async () => {
  // Each test starts without a driver process. The sample has one for the window and one for external clients.
  await window.call('sessions.close', sample);
  await window.call('settings.update', { statementTimeoutSeconds: 60 });
});

/** Each function runs a statement as one caller, and returns `done` or the error as text. */
const ways = {
  'the window': (text: string, signal?: AbortSignal) =>
    window.run(sample, text, signal).then(
      () => 'done',
      (error: Error & { code?: string }) => `${error.code}: ${error.message}`,
    ),
  'an MCP client': (text: string, signal?: AbortSignal) => mcp.run('Sample: SQLite', text, signal),
};

describe.each(Object.entries(ways))('asked by %s', (_name, ask) => {
  test('if a driver is killed, its statement fails, and the next statement has a new process', async () => {
    const answer = ask(endless);
    const host = await busyHost(app);
    process.kill(host, 'SIGKILL');
    expect(await answer).toMatch(/^\w+: .*SQLite driver/);
    expect(isAlive(host)).toBe(false);
    expect((await app.json('status')).state).toBe('running');
    expect(await ask('SELECT count(*) FROM moons')).toBe('done');
    expect(app.hosts()).toHaveLength(1);
    expect(app.hosts()).not.toContain(host);
  });

  test('cancelling a statement ends its driver process', async () => {
    const controller = new AbortController();
    const answer = ask(endless, controller.signal);
    const host = await busyHost(app);
    controller.abort();
    expect(await answer).not.toBe('done');
    await expect.poll(() => isAlive(host)).toBe(false);
    expect(await ask('SELECT 1')).toBe('done');
    const [latest, before] = await window.call('history.search', { connectionIds: [sample], limit: 2 });
    expect([latest.outcome, before.outcome]).toEqual(['ok', 'cancelled']);
  });

  test('a statement beyond the time limit fails, and its driver process ends', async () => {
    expect(await ask('SELECT 1')).toBe('done');
    const [host] = app.hosts() as [number];
    await window.call('settings.update', { statementTimeoutSeconds: 1 });
    expect(await ask(endless)).toMatch(/^timeout: /);
    await expect.poll(() => isAlive(host)).toBe(false);
    // One second may be too short for a new process to start.
    await window.call('settings.update', { statementTimeoutSeconds: 60 });
    expect(await ask('SELECT 1')).toBe('done');
  });
});

test('if the driver of a statement is killed, the statements that wait for that driver still run', async () => {
  const first = ways['the window'](endless);
  const host = await busyHost(app);
  const waiting = [1, 2, 3].map((n) => ways['the window'](`SELECT ${n}`));
  process.kill(host, 'SIGKILL');
  expect(await first).toMatch(/^driver_crashed: /);
  expect(await Promise.all(waiting)).toEqual(['done', 'done', 'done']);
});

test('statements that wait behind a cancelled statement still run', async () => {
  const controller = new AbortController();
  const first = ways['the window'](endless, controller.signal);
  await busyHost(app);
  const waiting = [1, 2, 3].map((n) => ways['the window'](`SELECT ${n}`));
  controller.abort();
  expect(await first).not.toBe('done');
  expect(await Promise.all(waiting)).toEqual(['done', 'done', 'done']);
});

test("a client's endless statement does not block the window", async () => {
  const controller = new AbortController();
  const client = ways['an MCP client'](endless, controller.signal);
  const host = await busyHost(app);
  expect(await ways['the window']('SELECT count(*) FROM moons')).toBe('done');
  expect(await ways['the window']('UPDATE moons SET name = name WHERE rowid = 1')).toBe('done');
  expect([app.hosts().length, isAlive(host)]).toEqual([2, true]);
  controller.abort();
  expect(await client).not.toBe('done');
});

test("a client's statement that locks the file ends when the user writes, and the client is told why", async () => {
  const client = ways['an MCP client'](`${endless}, moons`);
  const host = await busyHost(app);
  expect(await ways['the window']('UPDATE moons SET name = name WHERE rowid = 1')).toBe('done');
  expect(await client).toMatch(/^user_cancelled: The user needed this database .* Run it again/);
  await expect.poll(() => isAlive(host)).toBe(false);
  expect(await ways['an MCP client']('SELECT count(*) FROM moons')).toBe('done');
});
