import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { EventHub } from '../events/events.ts';
import type { Storage } from '../storage/storage.ts';
import {
  accessTo,
  client,
  fixtureDraft,
  questions,
  temporaryFolder,
  testCore,
} from '../testing/test-core.ts';
import { LogQueue } from './log-queue.ts';

test('a change to Blocked applies to the next call, also if a subscription has just read the connections', async () => {
  const { core } = await testCore();
  const { id } = await core.connections.create(fixtureDraft);
  const asked = client();
  // Acts like an MCP subscription, which reads the connections that its client may see.
  core.events.on(({ type }) => {
    if (type === 'historyChanged') core.connections.visibleTo(asked);
  });
  await core.data.runQuery(accessTo(id, asked), { text: 'SELECT', limit: 1 });
  await core.connections.update(id, { ...fixtureDraft, externalClients: 'blocked' });
  await expect(core.data.runQuery(accessTo(id, asked), { text: 'SELECT', limit: 1 })).rejects.toMatchObject({
    code: 'forbidden',
  });
  expect(core.connections.visibleTo(asked)).toEqual([]);
});

test('after a kill, the log has the unfinished changes of a client, and can still be verified', async () => {
  const { core, home, behave, driver } = await testCore();
  const { id } = await core.connections.create(fixtureDraft);
  await core.data.runQuery(accessTo(id, client()), { text: 'SELECT 1', limit: 1 });
  await core.sessions.open(accessTo(id));
  behave({ hang: ['run', 'applyChanges'] });
  const stop = new AbortController();
  const access = accessTo(id, client(), stop.signal);
  const changes = { table: 't', changes: [{ kind: 'insert' as const, id: '1', values: {} }] };
  const calls = [
    core.data.runQuery(access, { text: 'INSERT x', limit: 1 }),
    Array.fromAsync(core.data.applyChanges(access, changes)),
    core.data.browse(access, { table: 't', filters: [], match: 'all', sort: [], limit: 1, offset: 0 }),
  ];
  await calls[2];
  core.activity.list({ limit: 1 });
  // A copy of the data directory, as a kill at this moment would leave it.
  const left = join(temporaryFolder(), 'home');
  cpSync(home, left, { recursive: true });
  stop.abort();
  await Promise.allSettled(calls);

  const again = await testCore({ home: left, bundledDrivers: [driver.directory] });
  const unfinished = 'Trestle ended before this call did: the call may have changed something';
  const logged = again.core.activity
    .list({ limit: 9 })
    .map(({ action, outcome, detail }) => [action, outcome, detail]);
  expect(logged).toEqual([
    ['applyChanges', 'error', unfinished],
    ['query', 'error', unfinished],
    ['browse', 'ok', 't'],
    ['query', 'ok', null],
  ]);
  expect(again.core.history.search({ limit: 9 })).toMatchObject([
    { text: 'insert 1 row: t', outcome: 'error', error: unfinished },
    { text: 'INSERT x', outcome: 'error', error: unfinished },
    { text: 'SELECT 1', outcome: 'ok' },
  ]);
  expect(await again.core.activity.verify()).toEqual({ ok: true, checked: 4 });
  // In the app that was not killed, all calls have ended, and each has one entry.
  expect(core.activity.list({ limit: 9 }).map(({ action, outcome }) => [action, outcome])).toEqual([
    ['applyChanges', 'cancelled'],
    ['query', 'cancelled'],
    ['browse', 'ok'],
    ['query', 'ok'],
  ]);
});

test('an entry that is lost because the queue is full gets no history id', () => {
  let isFull = true;
  let inserted = 0;
  const details: unknown[] = [];
  const queue = new LogQueue({
    storage: {
      run: () => ({ lastInsertRowid: 1 }),
      transaction(work: () => unknown) {
        if (isFull) throw new Error('database or disk is full');
        return work();
      },
    } as unknown as Storage,
    activity: {
      append(entries) {
        details.push(...entries.map(({ detail }) => detail));
        return () => {};
      },
    },
    history: { insert: () => String(++inserted) },
    events: { emit: () => {} } as unknown as EventHub,
    log: pino({ level: 'silent' }),
    retryMs: 60_000,
  });
  const history = {
    connectionId: 'c',
    caller: 'person',
    tokenId: null,
    text: 'SELECT',
    effect: 'read' as const,
    outcome: 'ok' as const,
    error: null,
    rows: 0,
    durationMs: 1,
  };
  for (let count = 0; count < 1_000; count++) expect(queue.write({ history })).toBeNull();
  isFull = false;
  expect(queue.write({ history })).toBeNull();
  expect(inserted).toBe(1_000);
  expect(details).toEqual(['One entry before this one could not be stored and is lost']);
  expect(queue.write({ history })).toBe('1001');
  queue.close();
});

test('a connection removed while its call runs does not block the log', async () => {
  const { core, behave } = await testCore();
  const { id } = await core.connections.create(fixtureDraft);
  await core.sessions.open(accessTo(id));
  behave({ hang: ['run'] });
  const running = core.data.runQuery(accessTo(id, client()), { text: 'INSERT x', limit: 1 });
  const ended = expect(running).rejects.toThrow();
  await core.connections.remove(id);
  await ended;
  expect(core.activity.problem()).toBeNull();
  expect(core.activity.list({ limit: 9 })).toMatchObject([{ action: 'query', connectionId: id }]);
  expect(core.history.search({ limit: 9 })).toEqual([]);
});

test('the duration of a call does not include the time until the user answers', async () => {
  const { core } = await testCore();
  core.approvals.setPresence('window');
  const { id } = await core.connections.create({ ...fixtureDraft, aiPolicy: 'askEachTime' });
  const begun = performance.now();
  const running = core.data.runQuery(accessTo(id, client()), { text: 'SELECT', limit: 1 });
  const [question] = await questions(core);
  const asked = performance.now();
  await new Promise((resolve) => setTimeout(resolve, 300));
  const answered = performance.now();
  core.approvals.answer(question!.id, 'allow');
  const outcome = await running;
  const worked = performance.now() - answered + (asked - begun);
  const [entry] = core.activity.list({ limit: 1 });
  expect(entry!.durationMs).toBeLessThan(worked);
  expect(outcome.durationMs).toBeLessThan(worked);
  expect(core.history.search({ limit: 1 })[0]!.durationMs).toBeLessThan(worked);
});

test('when the queue closes, the app’s log file counts the lost entries: those that still waited, and those beyond the limit of the queue', () => {
  const lines: string[] = [];
  const queue = new LogQueue({
    storage: {
      transaction() {
        throw new Error('database or disk is full');
      },
    } as unknown as Storage,
    activity: { append: () => () => {} },
    history: { insert: () => null },
    events: { emit: () => {} } as unknown as EventHub,
    log: pino({}, { write: (line: string) => void lines.push(line) }),
    retryMs: 60_000,
  });
  for (let count = 0; count < 1_005; count++) queue.write({ activity: { action: 'query', outcome: 'ok' } });
  queue.close();
  expect(JSON.parse(lines.at(-1)!)).toMatchObject({ entries: 1_005, msg: 'Calls could not be logged' });
});
