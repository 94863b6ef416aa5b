import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Loss } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { fixtureDraft, root, testCore } from '../testing/test-core.ts';
import type { Actor, ConnectionDraft, StatementRequest } from '../types.ts';

const program: Actor = { door: 'commandLine', isPerson: false };
const typed: Actor = { door: 'commandLine', isPerson: true };
const { signal } = new AbortController();

/** A core with an SQLite database of two tables. */
async function facts(levels: Partial<ConnectionDraft> = {}) {
  const sqlite = join(root, 'dist', 'drivers', 'sqlite');
  const { core, home } = await testCore({ bundledDrivers: [sqlite] });
  const file = join(home, '..', 'facts.db');
  const database = new DatabaseSync(file);
  database.exec(`
    PRAGMA foreign_keys = ON;
    CREATE TABLE fact (id INTEGER PRIMARY KEY, text TEXT);
    CREATE TABLE line (id INTEGER PRIMARY KEY, fact INTEGER REFERENCES fact (id) ON DELETE CASCADE);
    WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n WHERE id < 150)
      INSERT INTO fact SELECT id, 'text ' || id FROM n;
    INSERT INTO line VALUES (1, 1), (2, 1);`);
  database.close();
  const draft = { ...fixtureDraft, name: 'Facts', driver: 'sqlite', fields: { file }, ...levels };
  const { id: connectionId } = await core.connections.create(draft);
  const run = (actor: Actor, text: string, more: Partial<StatementRequest> = {}) =>
    core.administer(actor).runStatement({ connectionId, text, limit: 200, ...more }, signal);
  const count = (table: string) => {
    const reading = new DatabaseSync(file, { readOnly: true });
    const found = reading.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n;
    reading.close();
    return found;
  };
  const change = (sql: string) => {
    const writing = new DatabaseSync(file);
    writing.exec(sql);
    writing.close();
  };
  return { core, connectionId, draft, run, count, change };
}

const read = 'SELECT text FROM fact WHERE id = 1';
const write = "UPDATE fact SET text = 'x' WHERE id = 1";
const beyond = "UPDATE fact SET text = 'x' WHERE id > 0";
const cascade = 'DELETE FROM fact WHERE id = 1';
const destroy = 'DROP TABLE line';

const allowed: [string, Partial<ConnectionDraft>, string[]][] = [
  ['Read & Write, Always Allow', {}, [read, write]],
  ['Read Only, Always Allow', { externalClients: 'readOnly' }, [read]],
  ['Blocked', { externalClients: 'blocked' }, []],
  ['Ask Each Time', { aiPolicy: 'askEachTime' }, []],
  ['Never', { aiPolicy: 'never' }, []],
  ['a masked column', { masking: { columns: ['text'], patterns: [] } }, []],
  ['a masked kind', { masking: { columns: [], patterns: ['email'] } }, []],
];

test.each(allowed)(
  'at %s, a program runs what a client may run without a question, and nothing else',
  async (_name, levels, mayRun) => {
    const { core, run, count } = await facts(levels);
    const loss: Loss = { tables: [], cascades: false, schema: '' };
    for (const [isSet, code] of [
      [false, 'forbidden'],
      [true, 'passphrase_needed'],
    ] as const) {
      if (isSet) await core.administer(typed).setPassphrase({ current: null, next: 'correct horse' });
      for (const text of [read, write, beyond, cascade, destroy]) {
        if (mayRun.includes(text)) expect(await run(program, text)).toMatchObject({ state: 'done' });
        else await expect(run(program, text)).rejects.toMatchObject({ code });
        // A program cannot confirm for the person.
        await expect(run(program, text, { approved: loss })).rejects.toMatchObject({ code });
      }
    }
    expect([count('fact'), count('line')]).toEqual([150, 2]);
  },
);

test.each(allowed)('at %s, the person may run everything', async (_name, levels) => {
  const { run, count } = await facts(levels);
  expect(await run(typed, read)).toMatchObject({
    state: 'done',
    outcome: { results: [{ rows: { values: [{ cells: ['text 1'] }] } }] },
  });
  expect(await run(typed, write)).toMatchObject({ state: 'done' });
  const asked = await run(typed, destroy);
  expect(asked).toEqual({
    state: 'confirm',
    summary: 'Drop table line',
    words: 'Changed or deleted: 2 rows of line.',
    loss: { tables: [{ table: 'line', rows: 2 }], cascades: false, schema: expect.any(String) },
  });
  expect(count('line')).toBe(2);
  if (asked.state === 'confirm') await run(typed, destroy, { approved: asked.loss });
  expect(() => count('line')).toThrow('no such table');
});

test.each([
  [beyond, 'Changed or deleted: 150 rows of fact.'],
  [
    cascade,
    'Changed or deleted: 2 rows of line, 1 row of fact. Some of them are affected through a foreign key.',
  ],
])('%s shows its loss to the person first', async (text, words) => {
  const { run, count } = await facts();
  const asked = await run(typed, text);
  expect(asked).toMatchObject({ state: 'confirm' });
  const parts = (sentence: string) => sentence.split(/[:,.] ?/).sort();
  expect(asked.state === 'confirm' && parts(asked.words)).toEqual(parts(words));
  expect([count('fact'), count('line')]).toEqual([150, 2]);
});

test('a confirmed statement runs only if it still loses the same', async () => {
  const { run, count, change } = await facts();
  const asked = await run(typed, destroy);
  if (asked.state !== 'confirm') throw new Error('Nothing was asked');
  change('INSERT INTO line VALUES (3, 2)');
  await expect(run(typed, destroy, { approved: asked.loss })).rejects.toMatchObject({ code: 'loss_changed' });
  // The loss of one statement is no answer for another.
  await expect(run(typed, 'DROP TABLE fact', { approved: asked.loss })).rejects.toMatchObject({
    code: 'loss_changed',
  });
  expect([count('fact'), count('line')]).toEqual([150, 3]);
});

test('Safe Mode holds for the person at a terminal', async () => {
  const { core, run, count, connectionId, draft } = await facts({ safeMode: 'confirm' });
  expect(await run(typed, read)).toMatchObject({ state: 'done' });
  const asked = await run(typed, write);
  expect(asked).toMatchObject({ state: 'confirm', words: 'Changed or deleted: 1 row of fact.' });
  if (asked.state === 'confirm')
    expect(await run(typed, write, { approved: asked.loss })).toMatchObject({ state: 'done' });
  await core.connections.update(connectionId, { ...draft, safeMode: 'readOnly' });
  expect(await run(typed, read)).toMatchObject({ state: 'done' });
  for (const text of [write, beyond, destroy]) {
    await expect(run(typed, text)).rejects.toMatchObject({ code: 'read_only' });
    await expect(
      run(typed, text, { approved: { tables: [], cascades: false, schema: '' } }),
    ).rejects.toMatchObject({ code: 'read_only' });
  }
  expect(count('line')).toBe(2);
});

test('the history and the activity log name the caller; a refusal is logged as denied', async () => {
  const { core, connectionId, run } = await facts();
  await run(program, read);
  await run(program, destroy).catch(() => {});
  await run(typed, write);
  const history = core.history.search({ connectionIds: [connectionId], limit: 10 });
  expect(history.map(({ caller, text }) => [caller, text])).toEqual([
    ['person', write],
    ['__command_line__', read],
  ]);
  const activity = core.activity.list({ limit: 10 });
  expect(
    activity.map(({ action, tokenName, outcome, detail }) => [action, tokenName, outcome, detail]),
  ).toEqual([
    ['run_statement', null, 'ok', 'Through the command line: write'],
    [
      'run_statement',
      null,
      'denied',
      expect.stringMatching(/^Through the command line: Running a destructive statement needs/),
    ],
    ['query', '__command_line__', 'ok', null],
  ]);
});

test('two statements, an empty text and a removed connection are refused', async () => {
  const { core, connectionId, run } = await facts();
  for (const actor of [program, typed]) {
    await expect(run(actor, 'SELECT 1; DROP TABLE line')).rejects.toThrow('more than one statement');
    await expect(run(actor, ' ')).rejects.toMatchObject({ code: expect.any(String) });
  }
  await core.connections.remove(connectionId);
  for (const actor of [program, typed]) {
    await expect(run(actor, read)).rejects.toMatchObject({ code: 'not_found' });
  }
});

test('a cancel reaches the driver', async () => {
  const { core, connectionId } = await facts();
  for (const actor of [program, typed]) {
    const cancel = new AbortController();
    const text = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n';
    const running = core.administer(actor).runStatement({ connectionId, text, limit: 1 }, cancel.signal);
    const refused = expect(running).rejects.toMatchObject({ code: 'cancelled' });
    setTimeout(() => cancel.abort(), 300);
    await refused;
  }
});

test('all programs share the hourly limit of one client; beyond it, a statement needs the passphrase', async () => {
  const { core, run } = await facts({ reachLimit: 2 });
  core.settings.update({ mcpReachPerHour: 1 });
  const two = "UPDATE fact SET text = 'y' WHERE id IN (1, 2)";
  expect(await run(program, two)).toMatchObject({ state: 'done' });
  await expect(run(program, write)).rejects.toMatchObject({
    code: 'forbidden',
    message: expect.stringContaining('more rows in an hour'),
  });
  expect(await run(program, read)).toMatchObject({ state: 'done' });
  expect(await run(typed, write)).toMatchObject({ state: 'done' });
});
