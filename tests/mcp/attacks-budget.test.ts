import { linkSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Connection } from '@trestle/core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { officialBridge } from './official-bridge.ts';
import { rawClient } from './raw-client.ts';
import { handshakeOf, type RunningServer, runServer } from './running-server.ts';

/** Attempts to change more rows in an hour than the user allowed, in many small steps. */
let running: RunningServer;
let file: string;
let stars: Connection;

beforeEach(async () => {
  running = await runServer();
  running.core.settings.update({ mcpReachPerHour: 2, mcpNewRowsPerHour: 500 });
  file = join(running.home, 'stars.db');
  onFile((db) =>
    db.exec(`
      CREATE TABLE stars (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
        INSERT INTO stars SELECT i, 'star ' || i FROM n;
      CREATE TABLE log (id INTEGER PRIMARY KEY, star, note);
      CREATE TABLE hub (id INTEGER PRIMARY KEY, name TEXT);
      INSERT INTO hub SELECT id, 'a' FROM stars;
      CREATE TRIGGER hub_of AFTER UPDATE OF name ON hub
        BEGIN UPDATE stars SET name = new.name || id WHERE id BETWEEN new.id * 10 AND new.id * 10 + 8; END;
    `),
  );
  stars = await running.connectSqlite('Stars', file);
});
afterEach(() => running.close());

function onFile<T>(use: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(file, { timeout: 5_000 });
  try {
    return use(db);
  } finally {
    db.close();
  }
}

const count = (table = 'stars') =>
  onFile((db) => Number(db.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n));
const gone = () => 3000 - count();
const bridgeToken = () => handshakeOf(running).token;
const isDenied = (text: string) => text.startsWith('denied: The limit of ');
const run = async (query: string, token = bridgeToken(), connection = 'Stars') =>
  (await rawClient(running, token).call('execute_query', { connection_id: connection, query })).text;
/** Deletes rows in steps of 100 until Trestle refuses. Returns the refusal. */
async function exhaust(token?: string, connection?: string): Promise<string> {
  for (let step = 0; step < 40; step++) {
    const text = await run(
      'DELETE FROM stars WHERE id IN (SELECT id FROM stars LIMIT 100)',
      token,
      connection,
    );
    if (isDenied(text)) return text;
  }
  return '';
}

test('thirty deletes of 100 rows delete 200 rows, and the refusal says what is left and what to do', async () => {
  const text = await exhaust();
  expect(gone()).toBe(200);
  expect(text).toMatch(
    /^denied: The limit of 200 changed or deleted rows in an hour is reached \(0 left, the call needs 100\)\. Nothing was changed\. The app has no window to ask in\. .*The oldest rows stop counting in 60 minutes\. Without a display, the user first runs `trestle passphrase set` at a terminal\. /,
  );
  expect(await run('SELECT 1')).not.toMatch(/denied/);
  expect(await run("INSERT INTO log VALUES (NULL, 1, 'new')")).not.toMatch(/denied/);
});

test('a second connection to the same file, under any other name, shares its count', async () => {
  mkdirSync(join(running.home, 'inner'));
  symlinkSync(file, join(running.home, 'link.db'));
  linkSync(file, join(running.home, 'hard.db'));
  symlinkSync(running.home, join(running.home, 'inner', 'home'));
  await exhaust();
  for (const name of ['link.db', 'hard.db', 'inner/home/stars.db', 'inner/../stars.db']) {
    await running.connectSqlite(name, `${running.home}/${name}`);
    expect(await exhaust(bridgeToken(), name)).toMatch(/^denied: The limit of 200 changed/);
  }
  expect(gone()).toBe(200);
});

test('bridge processes with other names share one count, over the official client', async () => {
  const names = ['one', 'two', 'three', 'four'];
  const clients = await Promise.all(names.map((name) => officialBridge(running.home, name)));
  const ids = onFile((db) => db.prepare('SELECT id FROM stars').all()).map(({ id }) => Number(id));
  const texts: string[] = [];
  for (const [index, client] of clients.entries()) {
    const keys = ids.slice(index * 100, index * 100 + 60).map((id) => ({ id }));
    texts.push(await client.call('delete_rows', { connection_id: 'Stars', table: 'stars', keys }));
    const changes = ids
      .slice(index * 100 + 60, index * 100 + 80)
      .map((id) => ({ key: { id }, values: { name: `n${id}` } }));
    texts.push(await client.call('update_rows', { connection_id: 'Stars', table: 'stars', changes }));
  }
  // Each client deletes 60 rows and changes 20. After 160 rows, a delete does not fit, and a change of 20 rows does.
  expect(texts.map(isDenied)).toEqual([false, false, false, false, true, false, true, false]);
  expect(gone()).toBe(120);
  expect(onFile((db) => db.prepare("SELECT count(*) AS n FROM stars WHERE name LIKE 'n%'").get()?.n)).toBe(
    80,
  );
});

test.each([
  [
    'statements',
    (step: number) => [
      'execute_query',
      { query: `DELETE FROM stars WHERE id BETWEEN ${step * 100} AND ${step * 100 + 99}` },
    ],
  ],
  [
    'saves',
    (step: number) => [
      'delete_rows',
      { table: 'stars', keys: Array.from({ length: 50 }, (_, at) => ({ id: step * 100 + at + 1 })) },
    ],
  ],
] as [string, (step: number) => [string, object]][])(
  '%s at the same time, from several bridge processes, change no more than the limit',
  async (_, callOf) => {
    const clients = await Promise.all(['a', 'b', 'c'].map((name) => officialBridge(running.home, name)));
    const texts = await Promise.all(
      Array.from({ length: 24 }, (_, step) => {
        const [name, args] = callOf(step);
        return clients[step % 3]!.call(name, { connection_id: 'Stars', ...args });
      }),
    );
    expect(gone()).toBeGreaterThanOrEqual(199);
    expect(gone()).toBeLessThanOrEqual(200);
    expect(texts.some(isDenied)).toBe(true);
  },
);

test.each([
  ['a trigger', (step: number) => `UPDATE hub SET name = 'b${step}' WHERE id = ${step + 1}`, 10],
  [
    'REPLACE',
    (step: number) =>
      `REPLACE INTO stars SELECT id, id || 'r${step}' FROM stars WHERE id BETWEEN ${step * 50} + 1 AND ${step * 50} + 50`,
    50,
  ],
  [
    'an upsert',
    (step: number) =>
      `INSERT INTO stars SELECT id, name FROM stars WHERE id BETWEEN ${step * 50} + 1 AND ${step * 50} + 50 ON CONFLICT (id) DO UPDATE SET name = excluded.name || '!'`,
    50,
  ],
  [
    'DELETE with RETURNING',
    (step: number) =>
      `DELETE FROM stars WHERE id BETWEEN ${step * 50} + 1 AND ${step * 50} + 50 RETURNING id`,
    50,
  ],
])('rows that %s changes count', async (_, statement, rows) => {
  const texts: string[] = [];
  for (let step = 0; step < 200 / rows; step++) texts.push(await run(statement(step)));
  expect(texts.filter((text) => /denied/.test(text))).toEqual([]);
  expect(isDenied(await run(statement(200 / rows)))).toBe(true);
});

test('rows that a trigger of a save changes count, and a save beyond the limit changes nothing', async () => {
  const client = rawClient(running, bridgeToken());
  const update = (first: number, rows: number) =>
    client.call('update_rows', {
      connection_id: 'Stars',
      table: 'hub',
      changes: Array.from({ length: rows }, (_, at) => ({
        key: { id: first + at },
        values: { name: `z${first}` },
      })),
    });
  for (const first of [1, 11]) expect((await update(first, 9)).text).toMatch(/^9 updated/);
  const named = () =>
    onFile((db) => db.prepare("SELECT count(*) AS n FROM hub WHERE name LIKE 'z%'").get()?.n);
  expect(isDenied((await update(21, 9)).text)).toBe(true);
  expect(named()).toBe(18);
  expect((await update(21, 2)).text).toMatch(/^2 updated/);
});

test('new rows have a limit of their own, in whatever way they are added', async () => {
  const insert = (rows: number) =>
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows}) INSERT INTO log (star) SELECT i FROM n`;
  expect(await run(insert(300))).not.toMatch(/denied/);
  expect(await run(insert(201))).toMatch(
    /^denied: The limit of 500 new rows in an hour is reached \(200 left, the call needs 201\)/,
  );
  const client = rawClient(running, bridgeToken());
  const rows = Array.from({ length: 100 }, (_, star) => ({ star }));
  expect((await client.call('insert_rows', { connection_id: 'Stars', table: 'log', rows })).text).toMatch(
    /^100 inserted/,
  );
  // A new table counts as a row, and each of its rows as another.
  expect(await run('CREATE TABLE copied AS SELECT * FROM log LIMIT 100')).toMatch(
    /^denied: The limit of 500 new rows/,
  );
  expect(await run('CREATE TABLE copied AS SELECT * FROM log LIMIT 99')).not.toMatch(/denied/);
  expect(
    (await client.call('insert_rows', { connection_id: 'Stars', table: 'log', rows: rows.slice(0, 1) })).text,
  ).toMatch(/^denied/);
  expect([count('log'), count('copied')]).toEqual([400, 99]);
  expect(await run("UPDATE log SET note = 'x' WHERE id <= 100")).not.toMatch(/denied/);
});

test('a connection that is renamed, copied or added again has the same count', async () => {
  await exhaust();
  const draft = { ...stars, masking: { columns: [], patterns: [] } };
  await running.core.connections.update(stars.id, { ...draft, name: 'Renamed' });
  expect(await run('DELETE FROM stars WHERE id = 2999', undefined, 'Renamed')).toMatch(
    /^denied: The limit of 200/,
  );
  await running.connectSqlite('Copied', file);
  expect(await run('DELETE FROM stars WHERE id = 2999', undefined, 'Copied')).toMatch(
    /^denied: The limit of 200/,
  );
  await running.core.connections.remove(stars.id);
  await running.connectSqlite('Again', file);
  expect(await run('DELETE FROM stars WHERE id = 2999', undefined, 'Again')).toMatch(
    /^denied: The limit of 200/,
  );
  expect(gone()).toBe(200);
});

test('each token of the user has a count, but new tokens share one, and so does a new name of the client', async () => {
  await exhaust();
  await exhaust(running.token);
  expect(gone()).toBe(400);
  for (let at = 0; at < 3; at++) await exhaust(running.createToken().secret);
  expect(gone()).toBe(400);
});

test('calls that are aborted or time out count, unless they only read', async () => {
  running.core.settings.update({ statementTimeoutSeconds: 1 });
  const slow = '(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n)';
  for (let at = 0; at < 3; at++) expect(await run(`SELECT ${slow}`)).toMatch(/^timeout/);
  expect(await run("UPDATE stars SET name = name || '!' WHERE id = 1")).not.toMatch(/denied/);
  for (let at = 0; at < 2; at++)
    expect(await run(`UPDATE stars SET name = ${slow} WHERE id = 1`)).toMatch(/^timeout/);
  const client = await officialBridge(running.home, 'aborts');
  const controller = new AbortController();
  const aborted = client.call(
    'execute_query',
    { connection_id: 'Stars', query: `UPDATE stars SET name = ${slow}` },
    controller.signal,
  );
  setTimeout(() => controller.abort(), 200);
  await expect(aborted).rejects.toThrow();
  await expect.poll(() => run('DELETE FROM stars WHERE id = 2')).toMatch(/^denied: The limit of 200/);
});

test('statements that fail or are rolled back do not count', async () => {
  for (let at = 0; at < 5; at++) {
    expect(await run('DELETE FROM nowhere')).toMatch(/^query_failed/);
    expect(await run("UPDATE stars SET name = 'same' WHERE id < 50")).toMatch(/^query_failed/);
    expect(await run('DELETE FROM stars WHERE id <= 101')).toMatch(/^Forbidden: .*limit for one call is 100/);
  }
  expect(gone()).toBe(0);
  await exhaust();
  expect(gone()).toBe(200);
});

test('beyond the limit the user is asked once, a yes allows as many rows again, and the log has the answer', async () => {
  await exhaust();
  running.core.approvals.setPresence('window');
  const waiting = [1, 2, 3].map((id) => run(`DELETE FROM stars WHERE id = ${2990 + id}`));
  await expect.poll(() => running.core.approvals.pending()).toHaveLength(1);
  const [question] = running.core.approvals.pending();
  expect(question).toMatchObject({
    kind: 'budget',
    connection: { name: 'Stars' },
    clientName: 'probe',
    used: { changed: 200, inserted: 0 },
    limit: { changed: 200, inserted: 500 },
    wanted: { changed: 1, inserted: 0 },
    title: 'Let “probe” change or delete 200 more rows in “Stars”?',
    statement: expect.stringContaining('DELETE FROM stars'),
  });
  running.core.approvals.answer(question!.id, 'allow');
  expect((await Promise.all(waiting)).filter((text) => /denied/.test(text))).toEqual([]);
  running.core.approvals.setPresence('none');
  await exhaust();
  expect(gone()).toBe(400 - 97);
  const entries = running.core.activity.list({ limit: 50, action: 'ask_for_more_rows' });
  expect(entries.map(({ outcome, detail }) => [outcome, detail]).slice(-2)).toEqual([
    [
      'ok',
      "The user allowed another hour's rows: 200 rows changed or deleted in the last hour, and the next call would write 1 row changed or deleted",
    ],
    [
      'denied',
      'There was no window to ask in: 200 rows changed or deleted in the last hour, and the next call would write 100 rows changed or deleted',
    ],
  ]);
});

test('a refusal holds for other calls, processes and names, without a further question', async () => {
  await exhaust();
  running.core.approvals.setPresence('window');
  const waiting = run('DELETE FROM stars WHERE id = 2999');
  await expect.poll(() => running.core.approvals.pending()).toHaveLength(1);
  running.core.approvals.answer(running.core.approvals.pending()[0]!.id, 'refuse');
  expect(await waiting).toMatch(/The user did not allow more\..*a refusal holds for 60 seconds/);
  const other = await officialBridge(running.home, 'another');
  const keys = [{ id: 2998 }];
  expect(await other.call('delete_rows', { connection_id: 'Stars', table: 'stars', keys })).toMatch(
    /^denied: The limit/,
  );
  expect(running.core.approvals.pending()).toEqual([]);
  expect(gone()).toBe(200);
});

test('a statement that the user approves by itself uses none of the rows', async () => {
  running.core.approvals.setPresence('window');
  const query = 'DELETE FROM stars WHERE id > 1000';
  const confirming = rawClient(running).call('confirm_destructive_operation', {
    connection_id: 'Stars',
    query,
  });
  await expect.poll(() => running.core.approvals.pending()).toHaveLength(1);
  running.core.approvals.answer(running.core.approvals.pending()[0]!.id, 'allow');
  await confirming;
  running.core.approvals.setPresence('none');
  await exhaust(running.token);
  expect(gone()).toBe(2200);
});
