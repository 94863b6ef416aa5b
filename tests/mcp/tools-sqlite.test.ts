import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ownWords } from './own-words.ts';
import { rawClient, type ToolOutcome } from './raw-client.ts';
import { type RunningServer, runServer } from './running-server.ts';
import { tokensOfAnswer } from './tokens.ts';

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
    CREATE UNIQUE INDEX anonymous ON books (title) WHERE author IS NULL;
    CREATE TABLE mixed (id INTEGER PRIMARY KEY, anything);
    INSERT INTO mixed VALUES (1, 5), (2, 'five'), (3, 5.5), (4, NULL);
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

const count = async (table: string) => (await call('browse_table', { table, count_only: true })).text;

test('describe_table shows key, foreign keys, filters and queries that run', async () => {
  const { lines } = await call('describe_table', { table: 'books' });
  expect(lines).toEqual([
    'books (table, sql, key id)',
    'id INTEGER',
    'title TEXT not null',
    'author INTEGER -> authors.id',
    'cover BLOB',
    expect.stringMatching(/^filters: equals, .* on all; .*contains.* on all but cover$/),
    expect.stringMatching(/^text: contains/),
    'cover: base64',
    'example: SELECT * FROM books LIMIT 100;',
    'counts: SELECT author, count(*) FROM books GROUP BY author;',
  ]);
  for (const [line, rows] of [
    [lines.at(-2), 3],
    [lines.at(-1), 2],
  ] as const) {
    const ran = await call('execute_query', { query: line?.slice(line.indexOf(' ') + 1) });
    expect([ran.isError, ran.rows.length]).toEqual([false, rows]);
  }
});

test('describe_table shows the definition of the table and its refused filters on request', async () => {
  const { text } = await call('describe_table', { table: 'books', detail: true });
  expect(text).toContain('definition: CREATE TABLE books');
  expect(text).toMatch(/no greater_than, .* on cover: Binary data/);
});

test('list_tables searches tables, columns and types', async () => {
  const find = async (search: string) => {
    const { lines, text } = await call('list_tables', { search });
    return lines.length > 0 ? lines : text;
  };
  expect(await find('AUTHOR')).toEqual(['authors', 'books.author INTEGER']);
  expect(await find('blob')).toEqual(['books.cover BLOB']);
  expect(await find('nothing like it')).toBe('Nothing matches.');
});

test('an unknown name is answered with the nearest one', async () => {
  const wrong: [string, object, RegExp][] = [
    [
      'describe_table',
      { table: 'bookz' },
      /^not_found: .*There is no table or view "bookz"\. Did you mean "books"\?/,
    ],
    ['browse_table', { table: 'books', columns: ['titel'] }, /^invalid_argument: .*Did you mean "title"\?/],
    [
      'insert_rows',
      { table: 'books', rows: [{ titel: 'x' }] },
      /^invalid_argument: .*Did you mean "title"\?/,
    ],
    [
      'execute_query',
      { query: 'SELECT titel FROM books' },
      /^query_failed: .*no such column: titel\. Did you mean title\?/,
    ],
    [
      'execute_query',
      { query: 'SELECT 1 FROM bookz' },
      /^query_failed: .*no such table: bookz\. Did you mean books\?/,
    ],
    [
      'list_tables',
      { connection_id: 'library' },
      /^not_found: There is no connection with this name or id\. .*Did you mean "Library"\?/,
    ],
  ];
  for (const [name, args, expected] of wrong) expect((await call(name, args)).text).toMatch(expected);
});

test('browse_table filters and sorts rows, picks columns, and pages with a limit of at most 10,000', async () => {
  const found = await call('browse_table', {
    table: 'books',
    columns: ['title'],
    filters: [{ column: 'author', operator: 'equals', value: 1 }],
    sort: [{ column: 'title', order: 'desc' }],
  });
  expect(found).toMatchObject({
    columns: ['title', 'id'],
    rows: [
      ['Solaris', '1'],
      ['Fiasco', '3'],
    ],
    notes: '',
  });
  const byDefault = await call('browse_table', { table: 'numbers' });
  expect([byDefault.rows.length, byDefault.notes]).toEqual([50, 'next_offset: 50 (11950 rows left)']);
  const last = await call('browse_table', { table: 'numbers', limit: 10_000, offset: 11_990 });
  expect([last.rows.length, last.notes]).toEqual([10, '']);
  const exactly = await call('browse_table', { table: 'numbers', limit: 10, offset: 11_990 });
  expect([exactly.rows.length, exactly.notes]).toEqual([10, '']);
  const none = await call('browse_table', { table: 'numbers', offset: 12_000 });
  expect(none.text).toBe('No rows.');
  const tooMany = await call('browse_table', { table: 'numbers', limit: 10_001 });
  expect(tooMany.text).toMatch(/^invalid_argument: The arguments do not fit.*\] limit/);
});

test('with next_offset, a client reads every row of a table that is too long for one answer', async () => {
  const seen: number[] = [];
  for (let offset = 0, pages = 0; ; pages++) {
    const page = await call('browse_table', { table: 'numbers', limit: 10_000, offset });
    expect(tokensOfAnswer({ content: [{ type: 'text', text: page.text }] })).toBeLessThan(9_000);
    seen.push(...page.rows.map(([n]) => Number(n)));
    const [, next, left] = /next_offset: (\d+) \((\d+) rows left\)/.exec(page.notes) ?? [];
    expect(pages).toBeLessThan(20);
    if (next === undefined) break;
    offset = Number(next);
    expect(Number(left)).toBe(12_000 - offset);
  }
  expect(seen).toEqual(Array.from({ length: 12_000 }, (_, index) => index + 1));
  const query = 'SELECT n FROM numbers ORDER BY n';
  const first = await call('execute_query', { query, limit: 3 });
  expect([first.rows, first.notes]).toEqual([[['1'], ['2'], ['3']], 'next_offset: 3 (more rows left)']);
  const second = await call('execute_query', { query, limit: 3, offset: 11_998 });
  // On a busy machine the answer says how long it took.
  expect([second.rows, second.notes.replace(/^It took .*/, '')]).toEqual([[['11999'], ['12000']], '']);
});

test('values are distinguishable: NULL, empty text, text like a number, tabs and lines', async () => {
  const query = `SELECT NULL, '', 'NULL', 12, '12', 'a' || char(9) || 'b', 'two' || char(10) || 'lines', '"x"', 1.5`;
  const { rows, lines } = await call('execute_query', { query });
  expect(lines).toHaveLength(2);
  expect(rows[0]).toEqual([
    'NULL',
    '""',
    '"NULL"',
    '12',
    '"12"',
    '"a\\tb"',
    '"two\\nlines"',
    '"\\"x\\""',
    '1.5',
  ]);
});

test('a value that is too large for an answer is cut, and the next row follows', async () => {
  const query = "SELECT printf('%.*c', 300000, 'x') AS long UNION ALL SELECT 'next'";
  const { rows, notes, text } = await call('execute_query', { query });
  expect(rows).toEqual([[expect.stringMatching(/^x{8000}… \(300000 characters\)$/)], ['next']]);
  expect(notes).toContain('export_data');
  expect(text.length).toBeLessThan(10_000);
});

test('rows are inserted, updated and deleted, a failed row is named, and bytes are sent as base64', async () => {
  const inserted = await call('insert_rows', {
    table: 'books',
    rows: [
      { id: 10, title: 'Eden', author: 1, cover: 'AAEC' },
      { id: 1, title: 'Doubled' },
      { id: '9007199254740993', title: 'Large' },
    ],
  });
  expect(inserted.text).toMatch(/^2 inserted, 1 failed\. /);
  expect(inserted.lines).toEqual([
    expect.stringMatching(/^row 1 failed: UNIQUE constraint failed/),
    'row 0: id 10',
    'row 2: id 9007199254740993',
  ]);
  const read = await call('browse_table', {
    table: 'books',
    filters: [{ column: 'title', operator: 'in_list', value: ['Eden', 'Large'] }],
    sort: [{ column: 'id' }],
  });
  expect(read.rows).toEqual([
    ['10', 'Eden', '1', 'AAEC'],
    ['9007199254740993', 'Large', 'NULL', 'NULL'],
  ]);
  const updated = await call('update_rows', {
    table: 'books',
    changes: [{ key: { id: '9007199254740993' }, values: { cover: '/w==' } }],
  });
  expect(updated.text).toBe('1 updated.');
  const deleted = await call('delete_rows', {
    table: 'books',
    keys: [{ id: 10 }, { id: '9007199254740993' }],
  });
  expect(deleted.text).toBe('2 deleted.');
  expect(await count('books')).toBe('3 rows');
});

test('delete_rows skips a row without a key, deletes the others and logs how many it deleted', async () => {
  await call('insert_rows', { table: 'books', rows: [{ id: 20, title: 'Short-lived' }] });
  const deleted = await call('delete_rows', { table: 'books', keys: [{}, { id: 20 }, { id: null }] });
  expect(deleted.text).toMatch(/^2 skipped, 1 deleted\. /);
  expect(deleted.lines).toEqual(['rows 0, 2 skipped: a key column is empty']);
  expect(await count('books')).toBe('3 rows');
  const [logged] = running.core.activity.list({ limit: 9 }).filter(({ action }) => action === 'applyChanges');
  expect(logged).toMatchObject({ outcome: 'ok', rows: 1 });
});

test.each([
  ['readOnly', ['insert_rows', 'update_rows', 'delete_rows', 'confirm_destructive_operation']],
  ['readWrite', ['confirm_destructive_operation']],
  ['fullAccess', []],
] as const)('the catalogue says which tools a %s token can never run', async (permission, never) => {
  const { secret } = running.createToken({ name: permission, permission });
  const { message } = await rawClient(running, secret).ask('tools/list');
  const tools = message.result?.tools as { name: string; description: string }[];
  const marked = tools.filter(({ description }) => description.includes('Not with your token'));
  expect(marked.map(({ name }) => name).sort()).toEqual([...never].sort());
});

test('a call that changes no row is an error with a code, and the history has each change of a client', async () => {
  const none = await call('update_rows', {
    table: 'books',
    changes: [{ key: { id: 999 }, values: { title: 'x' } }],
  });
  expect(none).toMatchObject({ isError: true, text: expect.stringMatching(/^not_found: 1 failed\. /) });
  const expected = { title: 'Not this' };
  const seen = await call('update_rows', {
    table: 'books',
    changes: [{ key: { id: 1 }, values: { title: 'x' }, expected }],
  });
  expect(seen).toMatchObject({
    isError: true,
    text: expect.stringMatching(/^query_failed: 1 in conflict\. /),
  });
  const empty = await call('delete_rows', { table: 'books', keys: [{}, { id: null }] });
  expect(empty).toMatchObject({
    isError: true,
    text: expect.stringMatching(/^invalid_argument: 2 skipped\. /),
  });
  const wrong = await call('update_rows', {
    table: 'books',
    changes: [{ key: { uuid: 1 }, values: { title: 'x' } }],
  });
  expect(wrong.text).toMatch(/^invalid_argument: .*a row is identified by exactly id/);
  const history = await call('search_query_history', { search: ': books', limit: 3 });
  expect(history.rows.map((row) => [row[2], row.at(-1)])).toEqual([
    ['error: 2 rows not saved', 'delete 2 rows: books'],
    ['error: 1 row not saved', 'update 1 row: books'],
    ['error: 1 row not saved', 'update 1 row: books'],
  ]);
});

test.each<[string, string, object]>([
  ['a key with another column', 'delete_rows', { table: 'books', keys: [{ id: 1, title: 'Solaris' }] }],
  [
    'a column that is not the key',
    'update_rows',
    { table: 'books', changes: [{ key: { author: 1 }, values: {} }] },
  ],
  ['an unknown column', 'insert_rows', { table: 'books', rows: [{ 'title"; DROP TABLE books; --': 1 }] }],
  ['a value that is not base64', 'insert_rows', { table: 'books', rows: [{ title: 'x', cover: '*' }] }],
])('%s is refused, and no row is added or deleted', async (_, name, args) => {
  const outcome = await call(name, args);
  expect(outcome).toMatchObject({ isError: true, text: expect.stringMatching(/^invalid_argument: /) });
  expect(await count('books')).toBe('3 rows');
});

describe('export_data', () => {
  const exported = async (args: object) => {
    const outcome = await call('export_data', args);
    const path = fileURLToPath(outcome.file ?? '');
    return { outcome, path, text: readFileSync(path, 'utf8') };
  };

  test('writes a CSV file that only its owner can read, in the exports folder, and links to the file', async () => {
    const { outcome, path, text } = await exported({ table: 'books', sort: [{ column: 'id' }] });
    expect(text).toBe(
      'id,title,author,cover\r\n1,Solaris,1,AP8=\r\n2,The Dispossessed,2,\r\n3,Fiasco,1,\r\n',
    );
    expect(path.startsWith(join(running.home, 'exports'))).toBe(true);
    expect(ownWords(outcome.text)).toBe(`3 rows, ${text.length} bytes: `);
    expect(outcome.file?.href).toBe(pathToFileURL(path).href);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(running.home, 'exports')).mode & 0o777).toBe(0o700);
  });

  test('writes filtered rows as JSON and as JSON lines', async () => {
    const table = 'books';
    const filters = [{ column: 'author', operator: 'equals', value: 2 }];
    const row = { id: 2, title: 'The Dispossessed', author: 2, cover: null };
    expect(JSON.parse((await exported({ table, format: 'json', filters })).text)).toEqual([row]);
    expect((await exported({ table, format: 'jsonl', filters })).text).toBe(`${JSON.stringify(row)}\n`);
    const none = [{ column: 'author', operator: 'equals', value: 99 }];
    expect((await exported({ table, format: 'json', filters: none })).text).toBe('[]\n');
  });

  test('with escape_formulas, text of a CSV file that a spreadsheet would run gets an apostrophe', async () => {
    const query = `SELECT '=1+1' AS "@f", -5 AS n`;
    expect((await exported({ query })).text).toBe('@f,n\r\n=1+1,-5\r\n');
    expect((await exported({ query, escape_formulas: true })).text).toBe("'@f,n\r\n'=1+1,-5\r\n");
    const json = await call('export_data', { query, format: 'json', escape_formulas: true });
    expect(json.text).toMatch(/^invalid_argument: escape_formulas applies only to the format csv/);
  });

  test('writes Parquet, and a column with values of several types as text, which the answer says', async () => {
    const read = async (path: string) => {
      const bytes = new Uint8Array(readFileSync(path));
      return parquetReadObjects({ file: bytes.buffer });
    };
    const filters = [{ column: 'id', operator: 'less_than', value: 3 }];
    const books = await exported({ table: 'books', format: 'parquet', filters, sort: [{ column: 'id' }] });
    expect(books.path).toMatch(/\.parquet$/);
    expect(await read(books.path)).toMatchObject([
      { id: 1n, title: 'Solaris', author: 1n },
      { id: 2n, title: 'The Dispossessed', author: 2n, cover: null },
    ]);
    expect(books.outcome.text).not.toContain('Parquet');
    for (const of of [
      { table: 'mixed', sort: [{ column: 'id' }] },
      { query: 'SELECT * FROM mixed ORDER BY id' },
    ]) {
      const refused = await call('export_data', { ...of, format: 'parquet' });
      expect(refused.text).toMatch(/^invalid_argument: No file was written/);
      expect(refused.text).toMatch(/anything.*: 2 values/s);
      const odd = await exported({ ...of, format: 'parquet', allow_inexact: true });
      expect((await read(odd.path)).map(({ anything }) => anything)).toEqual(['5', 'five', '5.5', null]);
      expect(odd.outcome.text).toContain('Columns with other values are written as text');
      expect(odd.outcome.text).toMatch(/anything.*: 2 values/s);
    }
    const none = [{ column: 'id', operator: 'equals', value: 99 }];
    expect(await read((await exported({ table: 'books', format: 'parquet', filters: none })).path)).toEqual(
      [],
    );
  });

  test('a CSV file that would not keep every value is written only if the client allows that, and the loss is named first', async () => {
    const files = () => readdirSync(join(running.home, 'exports')).length;
    const before = files();
    const of = { table: 'mixed', sort: [{ column: 'id' }], filters: [] };
    const database = new DatabaseSync(file);
    database.exec("INSERT INTO mixed VALUES (5, '5'), (6, 5.0)");
    const refused = await call('export_data', of);
    expect([refused.isError, files()]).toEqual([true, before]);
    const lost =
      'CSV does not keep the type of some values. An import may read them as another type; JSON keeps them. ';
    expect(ownWords(refused.text)).toBe(
      `invalid_argument: No file was written. ${lost}: 2 values. Use format json, or set allow_inexact.`,
    );
    expect(refused.text).toContain('] anything [');
    const { outcome, text } = await exported({ ...of, allow_inexact: true });
    expect(text).toBe('id,anything\r\n1,5\r\n2,five\r\n3,5.5\r\n4,\r\n5,5\r\n6,5\r\n');
    expect(ownWords(outcome.text)).toBe(`${lost}: 2 values\n6 rows, ${text.length} bytes: `);
    const json = await exported({ ...of, format: 'jsonl' });
    expect(json.text.split('\n').slice(4)).toEqual([
      '{"id":5,"anything":"5"}',
      '{"id":6,"anything":5.0}',
      '',
    ]);
    database.exec('DELETE FROM mixed WHERE id > 4');
    database.close();
  });

  test('writes the rows of a query that only reads, and refuses a query that writes', async () => {
    const query = 'SELECT author, count(*) AS books FROM books GROUP BY author ORDER BY author';
    expect((await exported({ query })).text).toBe('author,books\r\n1,2\r\n2,1\r\n');
    const writes = await call('export_data', {
      query: "UPDATE books SET title = 'x' WHERE id = 1 RETURNING id",
    });
    expect(writes.text).toMatch(/^invalid_argument: export_data runs only statements that read/);
    for (const args of [{}, { query, table: 'books' }]) {
      expect((await call('export_data', args)).text).toMatch(/^invalid_argument: Pass either table or query/);
    }
  });

  test.each([
    ['filters', { filters: [{ column: 'author', operator: 'equals', value: 2 }] }],
    ['columns', { columns: ['id'] }],
    ['sort', { sort: [{ column: 'id' }] }],
    ['tenant', { tenant: 'a' }],
    ['match, include_vectors', { match: 'any', include_vectors: true }],
  ])('refuses a query with %s, and writes no file', async (names, args) => {
    const before = readdirSync(join(running.home, 'exports'));
    const { text } = await call('export_data', { query: 'SELECT * FROM books', ...args });
    expect(text).toMatch(`invalid_argument: With query, export_data cannot use ${names}`);
    expect(readdirSync(join(running.home, 'exports'))).toEqual(before);
  });

  test('refuses a query whose rows do not fit into one answer', async () => {
    const query =
      'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20) SELECT hex(zeroblob(2000000)) FROM n';
    expect((await call('export_data', { query })).text).toMatch(
      /^invalid_argument: The rows of the query are too large: only the first 16 fit into one answer/,
    );
  });

  test('refuses the argument path, and a table name that contains a path', async () => {
    expect((await call('export_data', { table: 'books', path: '/tmp/x' })).text).toMatch(
      /^invalid_argument: /,
    );
    expect((await call('export_data', { table: '../../books' })).text).toMatch(/^not_found: /);
  });
});

test('search_query_history finds statements of connections that may be read', async () => {
  await call('execute_query', { query: 'SELECT 4711 AS needle' });
  const { columns, rows } = await client.call('search_query_history', { search: '4711' });
  expect(columns).toEqual(['at', 'connection', 'by', 'outcome', 'rows', 'ms', 'query']);
  const found = ['Library', 'client', 'ok', '1', expect.stringMatching(/^\d+$/), 'SELECT 4711 AS needle'];
  expect(rows).toEqual([[expect.stringMatching(/^20\d\d-/), ...found]]);
  const asks = await client.call('search_query_history', { connection_id: 'Asks' });
  expect(asks.text).toMatch(/^denied: /);
});

test('open_table_tab opens a table in the app, and is refused if Trestle has no window', async () => {
  expect((await call('open_table_tab', { table: 'books' })).text).toBe('Opened.');
  const { id } = running.core.connections.list().find(({ name }) => name === 'Library') ?? { id: '' };
  expect(opened).toEqual([{ connectionId: id, table: 'books' }]);
  expect((await call('open_table_tab', { table: 'nowhere' })).text).toMatch(/^not_found: /);
  await running.restart({ openTable: undefined });
  expect((await call('open_table_tab', { table: 'books' })).text).toMatch(
    /^unsupported: Trestle has no window/,
  );
});

test('vector_search on a database without vectors is refused with a reason', async () => {
  const outcome = await call('vector_search', { table: 'books', mode: 'near_text', text: 'x' });
  expect(outcome).toMatchObject({ isError: true, text: expect.stringMatching(/^unsupported: .*\. /) });
});

test('each call leaves one row in the activity log, whether it succeeds, fails or is denied', async () => {
  const before = running.core.activity.list({ limit: 1 })[0]?.id ?? 0;
  const called: [string, object][] = [
    ['list_connections', {}],
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
      ['browse', 'ok'],
      ['browse_table', 'error'],
      ['describe_table', 'error'],
      ['query', 'denied'],
    ].map((row) => [...row, 'test', 'probe']),
  );
});

test('rows are inserted and updated whatever the names of their columns are', async () => {
  const names = [...Object.getOwnPropertyNames(Object.prototype), 'a"b', ' lead', 'trestle_id', '\u{1F600}'];
  const database = new DatabaseSync(file);
  const columns = names.map((name) => `"${name.replaceAll('"', '""')}" TEXT`);
  database.exec(`CREATE TABLE odd (nr INTEGER PRIMARY KEY, ${columns.join(', ')})`);
  const stored = () =>
    Object.entries({ ...database.prepare('SELECT * FROM odd').get() }).filter(([name]) => name !== 'nr');
  const row = (value: (name: string) => string) => names.map((name) => [name, value(name)] as const);
  const inserted = row((name) => `new ${name}`);
  const answer = await call('insert_rows', {
    table: 'odd',
    rows: [Object.fromEntries([['nr', 1], ...inserted])],
  });
  expect(answer.isError).toBe(false);
  expect(stored()).toEqual(inserted);
  const updated = row((name) => `again ${name}`);
  await call('update_rows', {
    table: 'odd',
    changes: [{ key: { nr: 1 }, values: Object.fromEntries(updated) }],
  });
  expect(stored()).toEqual(updated);
  database.close();
});

test('values keep their type in a column without a type, and a number that was rounded on the way is refused', async () => {
  const database = new DatabaseSync(file);
  database.exec('CREATE TABLE typed (id INTEGER PRIMARY KEY, cell)');
  const stored = () => {
    const statement = database.prepare('SELECT typeof(cell) AS type, cell FROM typed ORDER BY id');
    statement.setReadBigInts(true);
    return statement.all().map(({ type, cell }) => [type, cell]);
  };
  const cells = [5, { $real: 5 }, '5', { $integer: '9007199254740993' }, { $bytes: 'AP8=' }, 0.5];
  const expected = [
    ['integer', 5n],
    ['real', 5],
    ['text', '5'],
    ['integer', 9007199254740993n],
    ['blob', Uint8Array.of(0, 255)],
    ['real', 0.5],
  ];
  await call('insert_rows', { table: 'typed', rows: cells.map((cell, id) => ({ id, cell })) });
  expect(stored()).toEqual(expected);
  database.exec('UPDATE typed SET cell = NULL');
  const changes = cells.map((cell, id) => ({ key: { id }, values: { cell }, expected: { cell: null } }));
  expect((await call('update_rows', { table: 'typed', changes })).text).toBe('6 updated.');
  expect(stored()).toEqual(expected);
  const again = cells.map((cell, id) => ({ key: { id }, values: { cell: 'x' }, expected: { cell } }));
  expect((await call('update_rows', { table: 'typed', changes: again })).text).toBe('6 updated.');
  const rounded = await call('insert_rows', { table: 'typed', rows: [{ cell: 2 ** 53 }] });
  expect(rounded.text).toContain('may have been rounded');
  expect(rounded.text).toContain('Send it as {"$integer": "42"} or {"$real": 42}.');
  expect(stored()).toHaveLength(6);
  database.close();
});
