import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rawClient, type ToolOutcome } from './raw-client.ts';
import { type RunningServer, runServer } from './running-server.ts';

let running: RunningServer;
let file: string;
let client: ReturnType<typeof rawClient>;
const opened: object[] = [];

beforeAll(async () => {
  const openTable = async (request: object) => {
    opened.push(request);
    return true;
  };
  running = await runServer({ openTable });
  file = join(running.home, 'library.db');
  const database = new DatabaseSync(file);
  database.exec(`
    CREATE TABLE authors (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
    CREATE TABLE books (
      id INTEGER PRIMARY KEY, title TEXT NOT NULL, author INTEGER REFERENCES authors (id), cover BLOB
    );
    INSERT INTO authors VALUES (1, 'Lem'), (2, 'Le Guin');
    INSERT INTO books (id, title, author, cover) VALUES
      (1, 'Solaris', 1, x'00ff'), (2, 'The Dispossessed', 2, NULL), (3, 'Fiasco', 1, NULL);
    CREATE TABLE numbers (n INTEGER PRIMARY KEY);
    WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r WHERE i < 12000) INSERT INTO numbers SELECT i FROM r;
  `);
  database.close();
  await running.connectSqlite('Library', file);
  client = rawClient(running);
});
afterAll(() => running.close());

const on = (args: object) => ({ connection_id: 'Library', ...args });
const call = (name: string, args: object = {}) => client.call(name, on(args));

test('connect, status and disconnect follow the session', async () => {
  expect((await call('get_connection_status')).structured).toMatchObject({ state: 'disconnected' });
  expect((await call('connect')).structured).toMatchObject({
    state: 'connected',
    server: { product: 'SQLite' },
  });
  expect((await call('disconnect')).structured).toMatchObject({ state: 'disconnected' });
  expect((await call('count_rows', { table: 'books' })).structured).toMatchObject({ count: 3 });
});

test('describe_table tells key, foreign keys, operators and a query that runs', async () => {
  const { structured } = await call('describe_table', { table: 'books' });
  expect(structured).toMatchObject({
    query_language: 'sql',
    key: ['id'],
    foreign_keys: [{ columns: ['author'], table: 'authors', references: ['id'] }],
    columns: expect.arrayContaining([
      expect.objectContaining({ name: 'title', operators: expect.arrayContaining(['equals', 'contains']) }),
    ]),
  });
  const ran = await call('execute_query', { query: structured.example_query });
  expect(ran.isError).toBe(false);
});

test('search_schema finds tables, columns and types', async () => {
  const find = async (query: string) =>
    ((await call('search_schema', { query })).structured.matches as { table: string; column?: string }[]).map(
      ({ table, column }) => (column ? `${table}.${column}` : table),
    );
  expect(await find('AUTHOR')).toEqual(['authors', 'books.author']);
  expect(await find('blob')).toEqual(['books.cover']);
  expect(await find('nothing like it')).toEqual([]);
});

test('browse_table filters, sorts, picks columns and pages up to 10,000 rows', async () => {
  const { structured } = await call('browse_table', {
    table: 'books',
    columns: ['title'],
    filters: [{ column: 'author', operator: 'equals', value: 1 }],
    sort: [{ column: 'title', order: 'desc' }],
  });
  expect(structured).toMatchObject({
    columns: [{ name: 'title' }, { name: 'id' }],
    rows: [
      ['Solaris', 1],
      ['Fiasco', 3],
    ],
    truncated: false,
  });
  const byDefault = await call('browse_table', { table: 'numbers' });
  expect(byDefault.structured).toMatchObject({ next_offset: 500 });
  expect(byDefault.structured.rows).toHaveLength(500);
  const many = await call('browse_table', { table: 'numbers', limit: 10_000, offset: 1_500 });
  expect((many.structured.rows as number[][]).at(-1)).toEqual([11_500]);
  expect(many.structured.next_offset).toBe(11_500);
  const last = await call('browse_table', { table: 'numbers', limit: 10_000, offset: 11_990 });
  expect(last.structured.rows).toHaveLength(10);
  expect(last.structured.next_offset).toBeUndefined();
  const tooMany = await call('browse_table', { table: 'numbers', limit: 10_001 });
  expect(tooMany.text).toMatch(/^invalid_argument: limit/);
});

test('rows are inserted, updated and deleted by key, each with its outcome; bytes travel as base64', async () => {
  const inserted = await call('insert_rows', {
    table: 'books',
    rows: [
      { id: 10, title: 'Eden', author: 1, cover: 'AAEC' },
      { id: 1, title: 'Doubled' },
      { id: '9007199254740993', title: 'Large' },
    ],
  });
  expect(inserted.structured).toMatchObject({ applied: 2, failed: 1 });
  expect(inserted.structured.outcomes).toMatchObject([
    { index: 0, status: 'applied', key: { id: 10 } },
    { index: 1, status: 'failed', error: expect.any(String) },
    { index: 2, status: 'applied', key: { id: '9007199254740993' } },
  ]);
  const read = await call('browse_table', {
    table: 'books',
    filters: [{ column: 'title', operator: 'in_list', value: ['Eden', 'Large'] }],
    sort: [{ column: 'id' }],
  });
  expect(read.structured.rows).toEqual([
    [10, 'Eden', 1, 'AAEC'],
    ['9007199254740993', 'Large', null, null],
  ]);
  const updated = await call('update_rows', {
    table: 'books',
    changes: [{ key: { id: '9007199254740993' }, values: { cover: '/w==' } }],
  });
  expect(updated.structured).toMatchObject({ applied: 1 });
  const deleted = await call('delete_rows', {
    table: 'books',
    keys: [{ id: 10 }, { id: '9007199254740993' }],
  });
  expect(deleted.structured).toMatchObject({ applied: 2, failed: 0 });
  expect((await call('count_rows', { table: 'books' })).structured.count).toBe(3);
});

test('a row without a key is skipped, and the others are saved', async () => {
  const changes = [{}, { id: null }, { id: 1 }].map((key) => ({ key, values: { author: null } }));
  const updated = await call('update_rows', { table: 'books', changes });
  expect(updated.structured).toMatchObject({
    applied: 1,
    failed: 2,
    outcomes: [
      { index: 0, status: 'skipped', error: 'Skipped: the row has no key' },
      { index: 1, status: 'skipped', error: 'Skipped: the row has no key' },
      { index: 2, status: 'applied' },
    ],
  });
});

test.each<[string, string, object]>([
  ['a key with more', 'delete_rows', { table: 'books', keys: [{ id: 1, title: 'Solaris' }] }],
  [
    'another column for a key',
    'update_rows',
    { table: 'books', changes: [{ key: { author: 1 }, values: {} }] },
  ],
  ['an unknown column', 'insert_rows', { table: 'books', rows: [{ 'title"; DROP TABLE books; --': 1 }] }],
  ['what is not base64', 'insert_rows', { table: 'books', rows: [{ title: 'x', cover: '*' }] }],
])('%s changes nothing', async (_, name, args) => {
  const outcome = await call(name, args);
  expect(outcome).toMatchObject({ isError: true, text: expect.stringMatching(/^invalid_argument: /) });
  expect((await call('count_rows', { table: 'books' })).structured.count).toBe(3);
});

describe('export_data', () => {
  const exported = async (args: object) => {
    const outcome = await call('export_data', { table: 'books', ...args });
    return { outcome, text: readFileSync(outcome.structured.file as string, 'utf8') };
  };

  test('writes CSV for the owner alone, in the exports folder, and links to it', async () => {
    const { outcome, text } = await exported({ sort: [{ column: 'id' }] });
    expect(text).toBe(
      'id,title,author,cover\r\n1,Solaris,1,AP8=\r\n2,The Dispossessed,2,\r\n3,Fiasco,1,\r\n',
    );
    const { file: path, link, rows, bytes } = outcome.structured as Record<string, string>;
    expect(path?.startsWith(join(running.home, 'exports'))).toBe(true);
    expect(link).toMatch(/^file:\/\/.*\.csv$/);
    expect([rows, bytes]).toEqual([3, text.length]);
    expect(statSync(path as string).mode & 0o777).toBe(0o600);
    expect(statSync(join(running.home, 'exports')).mode & 0o777).toBe(0o700);
  });

  test('writes JSON and JSON lines, filtered', async () => {
    const filters = [{ column: 'author', operator: 'equals', value: 2 }];
    const row = { id: 2, title: 'The Dispossessed', author: 2, cover: null };
    expect(JSON.parse((await exported({ format: 'json', filters })).text)).toEqual([row]);
    expect((await exported({ format: 'jsonl', filters })).text).toBe(`${JSON.stringify(row)}\n`);
    const none = [{ column: 'author', operator: 'equals', value: 99 }];
    expect((await exported({ format: 'json', filters: none })).text).toBe('[]\n');
  });

  test('takes no path, and a table cannot lead out of the folder', async () => {
    expect((await call('export_data', { table: 'books', path: '/tmp/x' })).text).toMatch(
      /^invalid_argument: /,
    );
    expect((await call('export_data', { table: '../../books' })).text).toMatch(/^not_found: /);
  });
});

test('search_query_history finds statements of connections that may be read', async () => {
  await call('execute_query', { query: 'SELECT 4711 AS needle' });
  const all = await client.call('search_query_history', { query: '4711' });
  expect(all.structured.entries).toMatchObject([
    { query: 'SELECT 4711 AS needle', outcome: 'ok', by: 'client' },
  ]);
  const asks = await client.call('search_query_history', { connection_id: 'Asks' });
  expect(asks.text).toMatch(/^denied: /);
});

test('open_table_tab tells the app, and says so where there is no window', async () => {
  expect((await call('open_table_tab', { table: 'books' })).structured).toMatchObject({ opened: true });
  const { id } = running.core.connections.list().find(({ name }) => name === 'Library') ?? { id: '' };
  expect(opened).toEqual([{ connectionId: id, table: 'books' }]);
  expect((await call('open_table_tab', { table: 'nowhere' })).text).toMatch(/^not_found: /);
  await running.restart({ openTable: undefined });
  expect((await call('open_table_tab', { table: 'books' })).text).toMatch(
    /^unsupported: Trestle has no window/,
  );
});

test('what a database cannot do is said in words', async () => {
  const outcome = await call('vector_search', { table: 'books', mode: 'near_text', text: 'x' });
  expect(outcome).toMatchObject({ isError: true, text: expect.stringMatching(/^unsupported: .*\. /) });
});

test('every tool that is called leaves a row in the activity log', async () => {
  const before = running.core.activity.list({ limit: 1 })[0]?.id ?? 0;
  const called: [string, object][] = [
    ['list_connections', {}],
    ['get_connection_status', on({})],
    ['browse_table', on({ table: 'books' })],
    ['browse_table', on({})],
    ['describe_table', { connection_id: 'No such', table: 'x' }],
    ['execute_query', { connection_id: running.connections.blocked.id, query: 'SELECT 1' }],
  ];
  const outcomes: ToolOutcome[] = [];
  for (const [name, args] of called) outcomes.push(await client.call(name, args));
  const rows = running.core.activity
    .list({ limit: 50 })
    .filter(({ id }) => id > before)
    .reverse();
  expect(
    rows.map(({ action, outcome, tokenName, clientName }) => [action, outcome, tokenName, clientName]),
  ).toEqual(
    [
      ['list_connections', 'ok'],
      ['get_connection_status', 'ok'],
      ['browse', 'ok'],
      ['browse_table', 'error'],
      ['describe_table', 'error'],
      ['query', 'denied'],
    ].map((row) => [...row, 'test', 'probe']),
  );
});
