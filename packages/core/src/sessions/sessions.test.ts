import { expect, test } from 'vitest';
import { accessTo, client, fixtureDraft, statusWhere, testCore } from '../testing/test-core.ts';
import { defaultTiming } from '../timing.ts';
import type { CoreEvent } from '../types.ts';

const network = { code: 'connection_failed', message: 'Connection failed: no route' } as const;
const auth = { code: 'authentication_failed', message: 'Authentication failed: key revoked' } as const;
const quick = { healthMs: 5, backoffMs: () => 5 };

const page = { table: 't', filters: [], match: 'all' as const, sort: [], limit: 1, offset: 0 };

const states = (events: CoreEvent[]) =>
  events.flatMap((event) => (event.type === 'sessionChanged' ? [event.status.state] : []));

test('a session opens when a call needs it, reports its state, and closes', async () => {
  const { core, events } = await testCore();
  const { id } = await core.connections.create(fixtureDraft);
  expect(core.sessions.status(id)).toEqual({ connectionId: id, state: 'disconnected', capabilities: [] });
  await core.data.tables(accessTo(id));
  expect(core.sessions.status(id)).toEqual({
    connectionId: id,
    state: 'connected',
    server: { product: 'Fixture', version: '1' },
    capabilities: expect.arrayContaining(['applyChanges', 'search']),
    pid: expect.any(Number),
  });
  await core.sessions.close(id);
  expect(states(events)).toEqual(['connecting', 'connected', 'disconnected']);
  expect(core.sessions.status(id)).toEqual({ connectionId: id, state: 'disconnected', capabilities: [] });
});

test('concurrent calls share one driver process', async () => {
  const { core, events } = await testCore();
  const { id } = await core.connections.create(fixtureDraft);
  const lists = await Promise.all([1, 2, 3].map(() => core.data.tables(accessTo(id))));
  // The second table of the fixture driver is named after its process.
  expect(new Set(lists.map((tables) => tables[1]?.name)).size).toBe(1);
  expect(states(events)).toEqual(['connecting', 'connected']);
});

test('after a health check finds a network fault, the session reconnects with backoff, and recovers', async () => {
  const attempts: number[] = [];
  const backoffMs = (attempt: number) => attempts.push(attempt) && 5;
  const { core, behave, events } = await testCore({ timing: { ...quick, backoffMs } });
  const { id } = await core.connections.create(fixtureDraft);
  await core.sessions.open(accessTo(id));
  behave({ fail: { health: network, connect: network } });
  const lost = await statusWhere(
    core,
    id,
    ({ state, retryAt }) => state === 'reconnecting' && retryAt !== undefined,
  );
  expect(lost).toEqual({
    connectionId: id,
    state: 'reconnecting',
    error: {
      ...network,
      hint: 'The server answered before. Check that it still runs, and check the network.',
    },
    retryAt: expect.any(String),
    capabilities: [],
  });
  await statusWhere(core, id, () => attempts.length >= 3);
  behave({});
  expect(await statusWhere(core, id, ({ state }) => state === 'connected')).not.toHaveProperty('error');
  expect(attempts.slice(0, 3)).toEqual([1, 2, 3]);
  expect(new Set(states(events))).toEqual(new Set(['connecting', 'connected', 'reconnecting']));
});

test('by default, the waits between attempts to reconnect grow from 2 s to 120 s, and health is checked every 30 s', () => {
  const seconds = [1, 2, 3, 4, 5, 6, 7, 20].map((attempt) => defaultTiming.backoffMs(attempt) / 1000);
  expect(seconds).toEqual([2, 4, 8, 16, 32, 64, 120, 120]);
  expect(defaultTiming.healthMs).toBe(30_000);
});

test('a network fault in a call starts a health check, and the next call does not wait for the backoff', async () => {
  const { core, behave } = await testCore({ timing: { backoffMs: () => 3_600_000 } });
  const { id } = await core.connections.create(fixtureDraft);
  await core.sessions.open(accessTo(id));
  behave({ fail: { browse: network, health: network } });
  const browse = () => core.data.browse(accessTo(id), page);
  await expect(browse()).rejects.toMatchObject(network);
  await statusWhere(core, id, ({ state }) => state === 'reconnecting');
  behave({ fail: { connect: network } });
  await expect(browse()).rejects.toMatchObject(network);
  expect(core.sessions.status(id).state).toBe('reconnecting');
  behave({});
  await browse();
  expect(core.sessions.status(id).state).toBe('connected');
});

test('a network fault fails only its call if the server still answers', async () => {
  const { core, behave, events, logged } = await testCore();
  const { id } = await core.connections.create(fixtureDraft);
  const { pid } = await core.sessions.open(accessTo(id));
  const rows = core.data.exportRows(accessTo(id), page)[Symbol.asyncIterator]();
  await rows.next();
  behave({ fail: { browse: network } });
  const browses = await Promise.allSettled(
    Array.from({ length: 8 }, () => core.data.browse(accessTo(id), page)),
  );
  expect(browses.map((one) => one.status === 'rejected' && one.reason.code)).toEqual(
    Array.from({ length: 8 }, () => 'connection_failed'),
  );
  await expect
    .poll(() => logged.filter((line) => line.includes('health was asked')).length)
    .toBeGreaterThan(0);
  expect([await rows.next(), await rows.next(), await rows.next()].map(({ done }) => done)).toEqual([
    false,
    false,
    true,
  ]);
  expect(core.sessions.status(id)).toMatchObject({ state: 'connected', pid });
  expect(states(events)).toEqual(['connecting', 'connected']);
});

test('failures that come together share one health check', async () => {
  const { core, behave, logged } = await testCore();
  const { id } = await core.connections.create(fixtureDraft);
  await core.sessions.open(accessTo(id));
  behave({ fail: { browse: network }, hang: ['health'] });
  await Promise.allSettled(Array.from({ length: 8 }, () => core.data.browse(accessTo(id), page)));
  await core.data.tables(accessTo(id));
  expect(logged.filter((line) => line.includes('health was asked'))).toHaveLength(1);
});

test('after a failed health check, running calls finish in the old process, and the next call gets a new one', async () => {
  const { core, behave } = await testCore({ timing: { backoffMs: () => 3_600_000 } });
  const { id } = await core.connections.create(fixtureDraft);
  const { pid } = await core.sessions.open(accessTo(id));
  const rows = core.data.exportRows(accessTo(id), page)[Symbol.asyncIterator]();
  await rows.next();
  behave({ fail: { browse: network, health: network } });
  await expect(core.data.browse(accessTo(id), page)).rejects.toMatchObject(network);
  await statusWhere(core, id, ({ state }) => state === 'reconnecting');
  behave({});
  await core.data.browse(accessTo(id), page);
  expect(core.sessions.status(id).pid).not.toBe(pid);
  expect((await rows.next()).done).toBe(false);
  expect(isAlive(pid!)).toBe(true);
  await rows.next();
  expect((await rows.next()).done).toBe(true);
  await expect.poll(() => isAlive(pid!)).toBe(false);
  expect(core.sessions.status(id).state).toBe('connected');
});

test('a health check without an answer leads to a warning while calls succeed, and to a reconnect if none succeeds', async () => {
  const { core, behave } = await testCore({ timing: { ...quick, healthTimeoutMs: 300 } });
  const { id } = await core.connections.create(fixtureDraft);
  const { pid } = await core.sessions.open(accessTo(id));
  behave({ hang: ['health'], fail: { connect: network } });
  let isSlow = false;
  const warned = statusWhere(core, id, ({ warning }) => warning !== undefined).then((status) => {
    isSlow = true;
    return status;
  });
  while (!isSlow) await core.data.tables(accessTo(id));
  expect(await warned).toMatchObject({
    state: 'connected',
    pid,
    warning: 'The server is slow: it did not answer a health check within 0.3 s.',
  });
  expect(await statusWhere(core, id, ({ state }) => state === 'reconnecting')).toMatchObject({
    error: { code: 'timeout' },
  });
});

test('a call after an aborted opening opens the session again', async () => {
  const { core, behave, events } = await testCore();
  const { id } = await core.connections.create(fixtureDraft);
  behave({ hang: ['connect'] });
  const stop = new AbortController();
  const first = core.sessions.open(accessTo(id, undefined, stop.signal));
  await statusWhere(core, id, ({ state }) => state === 'connecting');
  behave({});
  stop.abort();
  await Promise.all([
    expect(first).rejects.toMatchObject({ code: 'cancelled' }),
    expect(core.data.tables(accessTo(id))).resolves.toHaveLength(2),
  ]);
  expect(states(events).at(-1)).toBe('connected');
});

test('an authentication failure in a health check is final until the user connects or sets a new key', async () => {
  const { core, behave, events } = await testCore({ timing: quick });
  const { id } = await core.connections.create(fixtureDraft);
  await core.sessions.open(accessTo(id));
  behave({ fail: { health: auth, connect: auth } });
  expect(await statusWhere(core, id, ({ state }) => state === 'failed')).toEqual({
    connectionId: id,
    state: 'failed',
    error: auth,
    capabilities: [],
  });
  const before = states(events).length;
  await expect(core.data.tables(accessTo(id))).rejects.toMatchObject(auth);
  await expect(core.sessions.open(accessTo(id, client()))).rejects.toMatchObject(auth);
  expect(states(events)).toHaveLength(before);
  await expect(core.sessions.open(accessTo(id))).rejects.toMatchObject(auth);
  expect(states(events).slice(before)).toEqual(['connecting', 'failed']);
  behave({});
  await core.connections.update(id, {
    ...fixtureDraft,
    fields: { ...fixtureDraft.fields, apiKey: 'new-secret' },
  });
  await core.data.tables(accessTo(id));
  expect(core.sessions.status(id).state).toBe('connected');
});

test('after an authentication failure during reconnecting, the session is failed', async () => {
  const { core, behave } = await testCore({ timing: quick });
  const { id } = await core.connections.create(fixtureDraft);
  await core.sessions.open(accessTo(id));
  behave({ fail: { health: network, connect: auth } });
  expect(await statusWhere(core, id, ({ state }) => state === 'failed')).toMatchObject({ error: auth });
});

test('if the first attempt cannot reach the server, the session is failed, and the next call tries again', async () => {
  const { core, behave } = await testCore();
  const { id } = await core.connections.create(fixtureDraft);
  behave({ fail: { connect: network } });
  await expect(core.data.tables(accessTo(id))).rejects.toMatchObject(network);
  expect(core.sessions.status(id)).toMatchObject({ state: 'failed', error: network });
  behave({});
  await core.data.tables(accessTo(id));
  expect(core.sessions.status(id).state).toBe('connected');
});

test('if a permission is missing, the call fails, and the session stays connected', async () => {
  const { core, behave, events } = await testCore();
  const { id } = await core.connections.create(fixtureDraft);
  const denied = { code: 'permission_denied', message: 'read_data is missing' } as const;
  behave({ fail: { count: denied } });
  await expect(
    core.data.count(accessTo(id), { table: 't', filters: [], match: 'all' }),
  ).rejects.toMatchObject(denied);
  expect(states(events)).toEqual(['connecting', 'connected']);
});

test('a server that answers but reports a problem gives a warning', async () => {
  const { core, behave } = await testCore({ timing: quick });
  const { id } = await core.connections.create(fixtureDraft);
  await core.sessions.open(accessTo(id));
  behave({ health: { warning: 'The server answers with 503' } });
  expect(await statusWhere(core, id, ({ warning }) => warning !== undefined)).toMatchObject({
    state: 'connected',
    warning: 'The server answers with 503',
  });
  behave({ fail: { health: { code: 'query_failed', message: 'Odd answer' } } });
  expect(await statusWhere(core, id, ({ warning }) => warning === 'Odd answer')).toMatchObject({
    state: 'connected',
  });
  behave({});
  expect(await statusWhere(core, id, ({ warning }) => warning === undefined)).toMatchObject({
    state: 'connected',
  });
});

test('if a driver exits, its call fails with the exit code, and the next call starts a new process', async () => {
  const { core, behave } = await testCore();
  const { id } = await core.connections.create(fixtureDraft);
  const { pid } = await core.sessions.open(accessTo(id));
  behave({ exit: ['count'] });
  await expect(
    core.data.count(accessTo(id), { table: 't', filters: [], match: 'all' }),
  ).rejects.toMatchObject({
    code: 'driver_crashed',
    message: 'The Fixture driver stopped unexpectedly (exit code 7).',
  });
  expect(core.sessions.status(id)).toMatchObject({
    state: 'disconnected',
    error: { code: 'driver_crashed' },
  });
  behave({});
  await core.data.tables(accessTo(id));
  expect(core.sessions.status(id).pid).not.toBe(pid);
});

test('calls that wait in the queue of a killed serial driver run in its next process', async () => {
  const { core, behave, events } = await testCore({ serial: true });
  const { id } = await core.connections.create(fixtureDraft);
  const { pid } = await core.sessions.open(accessTo(id));
  behave({ hang: ['count'] });
  const count = () => core.data.count(accessTo(id), { table: 't', filters: [], match: 'all' });
  const running = count().catch((error: unknown) => error);
  const waiting = [count(), count(), count()];
  // Long enough for the first call to reach the driver and the others to wait in the queue.
  await new Promise((resolve) => setTimeout(resolve, 300));
  behave({});
  process.kill(pid!, 'SIGKILL');
  expect(await running).toMatchObject({ code: 'driver_crashed' });
  expect(await Promise.all(waiting)).toEqual([2, 2, 2]);
  expect(states(events)).toEqual(['connecting', 'connected', 'reconnecting', 'connected']);
  const status = core.sessions.status(id);
  expect(status).toMatchObject({ state: 'connected', pid: expect.any(Number) });
  expect(status.pid).not.toBe(pid);
});

test('if a serial driver exits in each of its calls, the session ends disconnected', async () => {
  const { core, behave } = await testCore({ serial: true });
  const { id } = await core.connections.create(fixtureDraft);
  await core.sessions.open(accessTo(id));
  behave({ exit: ['count'] });
  const count = () => core.data.count(accessTo(id), { table: 't', filters: [], match: 'all' });
  const outcomes = await Promise.allSettled([count(), count(), count()]);
  expect(outcomes.map((one) => one.status === 'rejected' && one.reason.code)).toEqual(
    Array.from({ length: 3 }, () => 'driver_crashed'),
  );
  expect(core.sessions.status(id)).toMatchObject({
    state: 'disconnected',
    error: { code: 'driver_crashed' },
  });
});

test('the session notices that its idle driver was killed', async () => {
  const { core } = await testCore();
  const { id } = await core.connections.create(fixtureDraft);
  const { pid } = await core.sessions.open(accessTo(id));
  process.kill(pid!, 'SIGKILL');
  expect(await statusWhere(core, id, ({ state }) => state === 'disconnected')).toMatchObject({
    error: { code: 'driver_crashed', message: 'The Fixture driver stopped unexpectedly (signal SIGKILL).' },
  });
});

test('a cancelled open ends for its caller, and stops the opening if nobody else waits', async () => {
  const { core, behave } = await testCore();
  const { id } = await core.connections.create(fixtureDraft);
  behave({ hang: ['connect'] });
  const [one, two] = [new AbortController(), new AbortController()];
  const first = core.sessions.open(accessTo(id, undefined, one.signal));
  const second = core.sessions.open(accessTo(id, undefined, two.signal));
  await statusWhere(core, id, ({ state }) => state === 'connecting');
  one.abort();
  await expect(first).rejects.toMatchObject({ code: 'cancelled' });
  expect(core.sessions.status(id).state).toBe('connecting');
  two.abort();
  await expect(second).rejects.toMatchObject({ code: 'cancelled' });
  expect((await statusWhere(core, id, ({ state }) => state === 'disconnected')).error).toBeUndefined();
});

test('a session that is closed while connecting or reconnecting becomes disconnected', async () => {
  const { core, behave } = await testCore({ timing: { backoffMs: () => 3_600_000 } });
  const { id } = await core.connections.create(fixtureDraft);
  behave({ hang: ['connect'] });
  const opening = core.sessions.open(accessTo(id));
  await statusWhere(core, id, ({ state }) => state === 'connecting');
  await core.sessions.close(id);
  await expect(opening).rejects.toMatchObject({ code: 'cancelled' });
  expect(core.sessions.status(id).state).toBe('disconnected');
  behave({ fail: { count: network, health: network } });
  await expect(
    core.data.count(accessTo(id), { table: 't', filters: [], match: 'all' }),
  ).rejects.toMatchObject(network);
  await statusWhere(core, id, ({ state }) => state === 'reconnecting');
  await core.sessions.close(id);
  expect(core.sessions.status(id)).toEqual({ connectionId: id, state: 'disconnected', capabilities: [] });
});

test('calls that wait while a stuck driver is killed run in its next process', async () => {
  const { core, behave } = await testCore();
  const { id } = await core.connections.create(fixtureDraft);
  const { pid } = await core.sessions.open(accessTo(id));
  behave({ stuck: ['run'] });
  const late = { ...accessTo(id), timeoutMs: 20 };
  await expect(core.data.runQuery(late, { text: 'SELECT', limit: 1 })).rejects.toMatchObject({
    code: 'timeout',
  });
  const page = { table: 't', filters: [], match: 'all' as const, sort: [] };
  const [count, batches] = await Promise.all([
    core.data.count(accessTo(id), page),
    Array.fromAsync(core.data.exportRows(accessTo(id), page)),
  ]);
  expect(count).toBe(2);
  expect(batches.length).toBeGreaterThan(0);
  expect(core.sessions.status(id)).toMatchObject({ state: 'connected' });
  expect(core.sessions.status(id).pid).not.toBe(pid);
});

test('health checks do not end a long statement of a serial driver', async () => {
  const { core, behave } = await testCore({ serial: true, timing: { healthMs: 5, healthTimeoutMs: 50 } });
  const { id } = await core.connections.create(fixtureDraft);
  const { pid } = await core.sessions.open(accessTo(id));
  behave({ hang: ['run'], fail: { health: auth } });
  const stop = new AbortController();
  const running = core.data.runQuery(accessTo(id, undefined, stop.signal), { text: 'SELECT', limit: 1 });
  // Many times the interval of health checks, and four times their timeout.
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(core.sessions.status(id)).toMatchObject({ state: 'connected', pid });
  stop.abort();
  await expect(running).rejects.toMatchObject({ code: 'cancelled' });
  expect(await statusWhere(core, id, ({ state }) => state === 'failed')).toMatchObject({ error: auth });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
