import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { rawClient } from './raw-client.ts';
import { type RunningServer, runServer } from './running-server.ts';

/** Known ways around read-only access, and SQL injections, through MCP tools. */
let running: RunningServer;
let client: ReturnType<typeof rawClient>;
let reader: ReturnType<typeof rawClient>;

beforeAll(async () => {
  running = await runServer();
  client = rawClient(running);
  reader = rawClient(running, running.createToken({ permission: 'readOnly' }).secret);
});
afterAll(() => running.close());
afterEach(() => expect(content()).toEqual(original));

const original = ['Mercury 0', 'Venus 0', 'Earth 1', 'Mars 2', 'tables: planets'];

/** Reads a copy of the database file, without the app. */
function content(): string[] {
  const copy = join(running.home, 'copy.db');
  copyFileSync(join(running.home, 'planets.db'), copy);
  const database = new DatabaseSync(copy, { readOnly: true });
  const rows = database.prepare("SELECT name || ' ' || moons AS line FROM planets").all();
  const tables = database.prepare(
    "SELECT group_concat(name) AS names FROM sqlite_master WHERE type = 'table'",
  );
  const { names } = tables.get() as { names: string };
  database.close();
  return [...rows.map((row) => String(row.line)), `tables: ${names}`];
}

const writes = [
  'DELETE FROM planets WHERE moons = 0',
  '/* SELECT */ DELETE FROM planets WHERE moons = 0',
  '-- SELECT\nDELETE FROM planets WHERE moons = 0',
  '/*! DELETE FROM planets WHERE moons = 0 */ UPDATE planets SET moons = 9 WHERE moons = 0',
  ';;; DELETE FROM planets WHERE moons = 0',
  '\uFEFFDELETE FROM planets WHERE moons = 0',
  '(DELETE FROM planets)',
  'dElEtE\tfRoM\nplanets WHERE moons = 0',
  'WITH doomed AS (SELECT name FROM planets) DELETE FROM planets WHERE name IN doomed',
  'WITH n(i) AS (VALUES (1)) INSERT INTO planets SELECT i, i FROM n',
  'WITH n AS (SELECT 1) REPLACE INTO planets SELECT 1, 1',
  'SELECT 1; DELETE FROM planets',
  'SELECT 1;\0DELETE FROM planets',
  'SELECT 1; -- \nDELETE FROM planets',
  'BEGIN; DELETE FROM planets; COMMIT',
  'BEGIN',
  'SAVEPOINT a',
  'EXPLAIN SELECT 1; DROP TABLE planets',
  'INSERT INTO planets VALUES (1, 1) RETURNING *',
  'UPDATE planets SET moons = 9 WHERE name = 1 OR 1 RETURNING name',
  'CREATE TABLE t (a)',
  'CREATE TEMP TABLE t (a)',
  'CREATE TRIGGER t AFTER INSERT ON planets BEGIN DELETE FROM planets; END',
  'CREATE VIRTUAL TABLE t USING fts5(a)',
  'ALTER TABLE planets RENAME TO p',
  'DROP TABLE planets',
  'PRAGMA writable_schema = 1',
  'PRAGMA query_only = 0',
  'PRAGMA journal_mode = DELETE',
  'PRAGMA user_version = 7',
  "ATTACH DATABASE 'other.db' AS other",
  "ATTACH ':memory:' AS m",
  'DETACH main',
  'VACUUM',
  "VACUUM INTO 'stolen.db'",
  'REINDEX',
  'ANALYZE',
  "SELECT load_extension('evil')",
  "SELECT writefile('stolen', 'x')",
  "SELECT readfile('/etc/passwd')",
  "SELECT edit('x')",
  "SELECT fts3_tokenizer('simple')",
  "INSERT INTO sqlite_master VALUES ('table','x','x',2,'CREATE TABLE x(a)')",
  'UPDATE sqlite_schema SET sql = NULL',
];

describe('reading only', () => {
  test.each(writes)('%j is refused and changes nothing', async (query) => {
    for (const [who, connection] of [
      [reader, 'Open'],
      [reader, 'Read only'],
      [client, 'Read only'],
    ] as const) {
      const outcome = await who.call('execute_query', { connection_id: connection, query });
      const exported = await who.call('export_data', { connection_id: connection, query });
      for (const one of [outcome, exported]) {
        const explained = one.isError || one.code === -33007;
        expect(explained, `${connection}: ${JSON.stringify(one)}`).toBe(true);
        expect(one.text).not.toMatch(/root:|\/etc\/passwd/);
      }
    }
    expect(existsSync(join(running.home, 'stolen.db'))).toBe(false);
  });

  test.each<[string, object]>([
    ['insert_rows', { table: 'planets', rows: [{ name: 'X', moons: 1 }] }],
    ['update_rows', { table: 'planets', changes: [{ key: { name: 'Mars' }, values: { moons: 9 } }] }],
    ['delete_rows', { table: 'planets', keys: [{ name: 'Mars' }] }],
    ['confirm_destructive_operation', { query: 'DROP TABLE planets' }],
  ])('%s is refused to a read-only token', async (name, args) => {
    expect(await reader.call(name, { connection_id: 'Open', ...args })).toMatchObject({
      code: -33007,
      status: 200,
    });
  });

  test('the refusal on a read-only connection names the reason and the remedy', async () => {
    const outcome = await client.call('delete_rows', {
      connection_id: 'Read only',
      table: 'planets',
      keys: [{ name: 'Mars' }],
    });
    expect(outcome).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^denied: Connection is read only for external clients\. Change External/),
    });
  });
});

describe('with a token that may do everything', () => {
  test.each([
    'DROP TABLE planets',
    'DELETE FROM planets',
    'DELETE FROM planets;',
    'UPDATE planets SET moons = 0',
    'ALTER TABLE planets DROP COLUMN moons',
    'WITH x AS (SELECT 1) DELETE FROM planets',
  ])('execute_query and export_data refuse %j', async (query) => {
    const outcome = await client.call('execute_query', { connection_id: 'Open', query });
    expect(outcome).toMatchObject({ isError: true, text: expect.stringMatching(/^denied: /) });
    const exported = await client.call('export_data', { connection_id: 'Open', query });
    expect(exported).toMatchObject({ isError: true, text: expect.stringMatching(/^invalid_argument: /) });
  });
});

describe('injection', () => {
  const hostile = [
    "planets'; DROP TABLE planets; --",
    'planets"; DROP TABLE planets; --',
    'planets" UNION SELECT name, sql FROM sqlite_master --',
    'planets) --',
    '`planets`; DELETE FROM planets',
    '[planets]; DELETE FROM planets',
    "' OR '1'='1",
    '\0',
    '..',
    '%_',
    '__proto__',
    'constructor',
  ];

  test.each(hostile)('through the name of a table is refused: %j', async (table) => {
    const on = { connection_id: 'Open', table };
    const rows = [{ name: 'x', moons: 1 }];
    for (const outcome of [
      await client.call('browse_table', on),
      await client.call('browse_table', { ...on, count_only: true }),
      await client.call('describe_table', on),
      await client.call('insert_rows', { ...on, rows }),
      await client.call('export_data', on),
    ]) {
      expect(outcome).toMatchObject({
        isError: true,
        text: expect.stringMatching(/^(not_found|invalid_argument): /),
      });
    }
  });

  test.each(hostile)('through the name of a column is refused: %j', async (column) => {
    const on = { connection_id: 'Open', table: 'planets' };
    for (const args of [
      { filters: [{ column, operator: 'equals', value: 1 }] },
      { sort: [{ column }] },
      { columns: [column] },
    ]) {
      const outcome = await client.call('browse_table', { ...on, ...args });
      expect(outcome).toMatchObject({
        isError: true,
        text: expect.stringMatching(/^(not_found|invalid_argument): /),
      });
    }
  });

  test.each(hostile)('through a value finds no row and changes nothing: %j', async (value) => {
    for (const operator of ['equals', 'contains', 'starts_with', 'ends_with']) {
      const filters = [{ column: 'name', operator, value }];
      const on = { connection_id: 'Open', table: 'planets', filters, count_only: true };
      expect((await client.call('browse_table', on)).text).toBe('0 rows');
    }
  });

  test('through an operator, an order or a limit is refused', async () => {
    const on = { connection_id: 'Open', table: 'planets' };
    for (const args of [
      { filters: [{ column: 'name', operator: '= 1 OR 1 =', value: 1 }] },
      { sort: [{ column: 'name', order: 'asc; DROP TABLE planets' }] },
      { limit: '1; DROP TABLE planets' },
    ]) {
      expect((await client.call('browse_table', { ...on, ...args })).text).toMatch(/^invalid_argument: /);
    }
  });
});
