import { StatementSync } from 'node:sqlite';
import { cellAt, driverErrorDetails, maskedColumn, type RowSet, type RunOutcome } from '@trestle/driver-kit';
import { expect, onTestFinished, test, vi } from 'vitest';
import { call, type TemporaryDatabase, temporaryDatabase } from './testing/temporary-database.ts';

const schema = `
  CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT, email TEXT, age INTEGER, town TEXT);
  INSERT INTO users (id, name, email)
    VALUES (1, 'Zoe', 'z@z.example'), (2, 'Bob', 'b@b.example'), (3, 'Mia', 'm@m.example');
  CREATE INDEX users_email ON users (email, name);
  CREATE VIEW contacts AS SELECT id, name, email FROM users;
  CREATE VIEW names AS SELECT name FROM users;
  CREATE VIEW list AS SELECT group_concat(name) AS names FROM users;
  CREATE VIEW two AS SELECT name FROM users LIMIT 2;
  CREATE TABLE phones (email TEXT PRIMARY KEY, name TEXT, phone TEXT) WITHOUT ROWID;
  INSERT INTO phones VALUES ('z@z.example', 'Bob', '1'), ('b@b.example', 'Ann', '2');
  CREATE INDEX phones_phone ON phones (phone, name);
  CREATE TABLE members (id INTEGER PRIMARY KEY, name TEXT, email TEXT UNIQUE);
  INSERT INTO members VALUES (1, 'Zoe', 'z@z.example');
  CREATE TABLE halls (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
  INSERT INTO halls VALUES (1, 'x');
  CREATE TABLE bookings (id INTEGER PRIMARY KEY, hall INTEGER REFERENCES halls);
  CREATE VIRTUAL TABLE found USING fts4(content="users", email);
  INSERT INTO found (found) VALUES ('rebuild');
  CREATE TABLE docs (id INTEGER PRIMARY KEY, title TEXT, email TEXT);
  CREATE VIRTUAL TABLE titles USING fts5(title, content='docs', content_rowid='id');
  CREATE TRIGGER docs_titles AFTER INSERT ON docs BEGIN
    INSERT INTO titles (rowid, title) VALUES (new.id, new.title); END;
  CREATE TABLE plain (a);
`;

const guarded = ['email', 'phone', 'bookings.hall'].flatMap(maskedColumn);
const refused = { code: 'refused', hint: expect.stringMatching(/plain result columns/) };

test.each([
  [
    'a foreign key of a generated column, checked by a PRAGMA',
    'CREATE TABLE guesses (guess TEXT)',
    "INSERT INTO guesses VALUES ('z@z.example')",
    'ALTER TABLE guesses ADD COLUMN who TEXT AS (guess) REFERENCES members (email)',
    'PRAGMA foreign_key_check(guesses)',
  ],
  [
    'a foreign key of a generated column, checked by a delete',
    'CREATE TABLE guesses (guess TEXT)',
    "INSERT INTO guesses VALUES ('z@z.example')",
    'ALTER TABLE guesses ADD COLUMN who TEXT AS (guess) REFERENCES MEMBERS (Email)',
    'DELETE FROM members WHERE id = 1',
  ],
  [
    'a foreign key of a generated column, checked by an insert',
    'CREATE TABLE guesses (guess TEXT)',
    'ALTER TABLE guesses ADD COLUMN who TEXT AS (guess) REFERENCES members (email)',
    "INSERT INTO guesses VALUES ('z@z.example')",
  ],
  ['a check of the foreign keys of one table', "SELECT * FROM pragma_foreign_key_check('bookings')"],
  [
    'a guess that is written into a full-text index',
    "REPLACE INTO found (docid, email) VALUES (1, 'z@z.example')",
  ],
  ['a command to a full-text index', "INSERT INTO found (found) VALUES ('integrity-check')"],
  ['the size of a value', "SELECT mx_payload FROM dbstat WHERE name = 'members'"],
  ['the size of all values', 'SELECT sum(payload) FROM DBSTAT'],
  [
    'the number of different values, after a guess was written',
    "INSERT INTO users (email) VALUES ('z@z.example')",
    'ANALYZE',
  ],
  ['statistics of one table without masked columns', 'ANALYZE plain'],
  ['statistics of one index', 'ANALYZE main.users_email'],
  ['a masked column as the right side of IN', "SELECT 'z@z.example' IN (SELECT email FROM main.members)"],
  ['an order inside an aggregate', "SELECT string_agg(name, ',' ORDER BY email) FROM users"],
  [
    'a join of a view with a list of guesses',
    "WITH s(email) AS (VALUES ('z@z.example')) SELECT contacts.id FROM contacts JOIN s USING/**/(email)",
  ],
  ['a new CHECK', "ALTER TABLE users ADD CHECK (email > 'm')"],
  ['a new NOT NULL', 'ALTER TABLE users ALTER COLUMN email SET NOT NULL'],
  ['a replaced parent of a masked foreign key', "REPLACE INTO halls VALUES (9, 'x')"],
  [
    'an upsert that changes the key of a parent row',
    "INSERT INTO halls VALUES (9, 'x') ON CONFLICT (name) DO UPDATE SET id = 9",
  ],
])('%s reveals no masked value', async (_, ...texts) => {
  const { session } = await temporaryDatabase(schema);
  const last = texts.pop()!;
  for (const text of texts) await run(session, text);
  await expect(run(session, last)).rejects.toMatchObject(refused);
});

test.each([
  "INSERT INTO docs (title) VALUES ('x')",
  'DELETE FROM users WHERE id = 1',
  'DELETE FROM plain WHERE a = 1',
])('a statement that reveals no masked value still runs: %s', async (text) => {
  const { session } = await temporaryDatabase(schema);
  await run(session, text);
});

test('a save is refused if it writes to a full-text index of masked values, or deletes a row while a foreign key refers to its masked column', async () => {
  const { session, exec } = await temporaryDatabase(schema);
  exec('CREATE TABLE visits (who TEXT REFERENCES members (email))');
  const save = { rowTimeoutMs: 9_000, guarded };
  const written = { kind: 'insert' as const, id: 'a', values: { email: 'z@z.example' } };
  const deleted = { kind: 'delete' as const, id: 'b', key: { id: 1 } };
  for (const request of [
    { table: 'found', changes: [written] },
    { table: 'members', changes: [deleted] },
  ])
    await expect(Array.fromAsync(session.applyChanges!({ ...request, ...save }, call))).rejects.toMatchObject(
      refused,
    );
});

test('a page, an export and a count of a view do not reveal the order of masked values', async () => {
  const { session } = await temporaryDatabase(schema);
  const all = { filters: [], match: 'all' as const, sort: [], guarded };
  const page = { ...all, limit: 10, offset: 0 };
  const { rows } = await session.browse({ ...page, table: 'contacts' }, call);
  expect(shown(rows, 'name')).toEqual(['Zoe', 'Bob', 'Mia']);
  const [batch] = await Array.fromAsync(session.exportRows!({ ...all, table: 'contacts' }, call));
  expect(shown(batch!, 'name')).toEqual(['Zoe', 'Bob', 'Mia']);
  const filters = [{ column: 'names', operator: 'starts_with' as const, value: 'Bob,' }];
  const attempts = [
    ...['list', 'two'].map((table) => session.browse({ ...page, table }, call)),
    session.browse({ ...page, table: 'list', sort: [{ column: 'names', order: 'asc' }] }, call),
    session.count({ ...all, table: 'list', filters }, call),
  ];
  for (const attempt of attempts) await expect(attempt).rejects.toMatchObject(refused);
  // Sorted by all its columns, a view without a LIMIT reveals no other order.
  expect(shown((await session.browse({ ...page, table: 'names' }, call)).rows, 'name')).toEqual([
    'Bob',
    'Mia',
    'Zoe',
  ]);
  expect(await session.count({ ...all, table: 'names' }, call)).toBe(3);
  expect(shown((await session.browse({ ...page, table: 'names', guarded: [] }, call)).rows, 'name')).toEqual([
    'Bob',
    'Mia',
    'Zoe',
  ]);
});

test('a page of a table with a masked key does not follow an index of masked values', async () => {
  const { session } = await temporaryDatabase(schema);
  const page = { filters: [], match: 'all' as const, sort: [], limit: 10, offset: 0 };
  for (const columns of [undefined, ['name']]) {
    const request = { ...page, table: 'phones', guarded, ...(columns && { columns }) };
    expect(shown((await session.browse(request, call)).rows, 'name')).toEqual(['Ann', 'Bob']);
  }
});

test('a query of dbstat may read any table, so its classification lists no tables', async () => {
  const { session } = await temporaryDatabase(schema);
  expect(await session.classify('SELECT * FROM dbstat', call)).not.toHaveProperty('tables');
});

test.each([
  ['ALTER TABLE t DROP COLUMN name', 'SELECT * FROM t'],
  ['DROP VIEW v; CREATE VIEW v AS SELECT email AS name FROM u', 'SELECT name FROM v'],
])('after "%s" ran outside the driver, "%s" reveals no masked value', async (change, text) => {
  const { session, exec } = await temporaryDatabase(`
    CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, email TEXT, note TEXT);
    INSERT INTO t VALUES (1, 'Zoe', 'z@z.example', '');
    CREATE TABLE u AS SELECT * FROM t;
    CREATE VIEW v AS SELECT name FROM u;
  `);
  await run(session, text);
  exec(change);
  const [result] = (await run(session, text)).results;
  const rows = result?.kind === 'rows' ? result.rows : undefined;
  const open = rows?.columns.filter(({ masked }) => !masked).map(({ name }) => name);
  expect(open?.flatMap((name) => shown(rows!, name)).join()).not.toContain('example');
  expect(rows?.columns.some(({ masked }) => masked)).toBe(true);
});

test('after a view was changed outside the driver, a statement that reads it is classified with the new tables', async () => {
  const { session, exec } = await temporaryDatabase(schema);
  const text = 'SELECT a FROM v';
  exec('CREATE VIEW v AS SELECT a FROM plain');
  expect((await session.classify(text, call)).tables?.toSorted()).toEqual(['plain', 'v']);
  exec('DROP VIEW v; CREATE VIEW v AS SELECT email AS a FROM members');
  expect((await session.classify(text, call)).tables?.toSorted()).toEqual(['members', 'v']);
});

test('if the schema changes between the check and the run of a statement, the statement is checked again', async () => {
  const { session, exec } = await temporaryDatabase(`
    CREATE TABLE u (name TEXT, email TEXT);
    INSERT INTO u VALUES ('Zoe', 'z@z.example');
    CREATE VIEW v AS SELECT name FROM u;
  `);
  const text = 'SELECT name FROM v';
  const { iterate } = StatementSync.prototype;
  let hasChanged = false;
  const change = () => {
    hasChanged = true;
    exec('DROP VIEW v; CREATE VIEW v AS SELECT email AS name FROM u');
  };
  const spy = vi.spyOn(StatementSync.prototype, 'iterate').mockImplementation(function (
    this: StatementSync,
    ...values
  ) {
    if (this.sourceSQL === text && !hasChanged) change();
    return iterate.apply(this, values);
  });
  onTestFinished(() => spy.mockRestore());
  const [result] = (await run(session, text)).results;
  expect(hasChanged).toBe(true);
  expect(result).toMatchObject({ kind: 'rows', rows: { columns: [{ name: 'name', masked: true }] } });
});

test.each(['DROP TABLE plain', 'DROP INDEX plain_a'])(
  'after ANALYZE, a statement on a table without masked columns still runs: %s',
  async (text) => {
    const { session } = await temporaryDatabase(`${schema}; CREATE INDEX plain_a ON plain (a); ANALYZE`);
    await run(session, text);
  },
);

/** The planner's statistics depend on the masked values: all different, or all equal. */
const measured = (emails: string[]) => `
  CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT, email TEXT, town TEXT);
  WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
    INSERT INTO users SELECT i, 'n' || (i % 40), CASE i % 3 ${emails.map((one, index) => `WHEN ${index} THEN ${one}`).join(' ')} END, 't' || (i % 7) FROM n;
  CREATE INDEX users_email ON users (email, name, town);
  CREATE INDEX users_name_email ON users (name, email);
  CREATE INDEX users_town_email ON users (town, email, name);
  CREATE INDEX users_town ON users (town);
  CREATE VIEW contacts AS SELECT id, name, town, email FROM users;
  CREATE VIEW busy AS SELECT group_concat(name) AS names FROM users WHERE town = 't1';
  CREATE TABLE orders (id INTEGER PRIMARY KEY, user_id INTEGER, name TEXT);
  INSERT INTO orders SELECT id, id, name FROM users;
  CREATE TABLE log (id INTEGER PRIMARY KEY, a);
  CREATE TABLE watched (id INTEGER PRIMARY KEY, name TEXT, email TEXT);
  INSERT INTO watched SELECT id, name, email FROM users;
  CREATE INDEX watched_email ON watched (name, email);
  CREATE TRIGGER watched_log AFTER DELETE ON watched BEGIN INSERT INTO log (a) VALUES (old.id); END;
  ANALYZE;
`;

const planned = [
  "DELETE FROM users WHERE name = 'n1' AND town = 't1'",
  "DELETE FROM users WHERE name = 'n1' AND town = 't1' RETURNING id",
  "DELETE FROM watched WHERE name = 'n1'",
  "UPDATE users SET town = 'x' WHERE name = 'n1' AND town = 't1'",
  "UPDATE users SET id = id + 1000 WHERE name = 'n1'",
  'UPDATE orders SET name = users.town FROM users WHERE users.name = orders.name',
  "SELECT id FROM users WHERE name = 'n1' AND town = 't1'",
  "SELECT id, town FROM users WHERE town > 't3'",
  'SELECT id FROM users',
  "SELECT id FROM main.users WHERE name = 'n1' OR town = 't1'",
  'SELECT id FROM "users" AS u ORDER BY town',
  "SELECT u.id FROM users u JOIN orders o ON o.name = u.name WHERE u.town = 't1'",
  "SELECT orders.id FROM orders WHERE name IN (SELECT name FROM users WHERE town = 't1')",
  "SELECT group_concat(id) FROM users WHERE town = 't1'",
  'SELECT count(*) FROM users',
  "SELECT id FROM users NOT INDEXED WHERE name = 'n1'",
  "SELECT id FROM users AS u NOT INDEXED WHERE u.name = 'n1'",
  "SELECT id FROM users WHERE name = 'n1' AND id = 41 ORDER BY town, random()",
  "SELECT id FROM contacts WHERE name = 'n1'",
  'SELECT names FROM busy',
  "EXPLAIN QUERY PLAN SELECT id FROM users WHERE name = 'n1' AND town = 't1'",
  "EXPLAIN SELECT id FROM users WHERE name = 'n1' AND town = 't1'",
  "EXPLAIN QUERY PLAN DELETE FROM users WHERE name = 'n1' AND town = 't1'",
  'EXPLAIN QUERY PLAN SELECT count(*) FROM users',
  "EXPLAIN QUERY PLAN SELECT id FROM users NOT INDEXED WHERE name = 'n1'",
  "INSERT INTO log (a) SELECT id FROM users WHERE name = 'n1'",
];

test.each(planned)(
  'with the statistics of ANALYZE, the answer does not depend on masked values: %s',
  async (text) => {
    const answers = [];
    for (const emails of [
      ["'a' || i", "'b' || i", "'c' || i"],
      ["'x'", "'x'", "'x'"],
      ["'z' || (300 - i)", "'y'", 'NULL'],
    ]) {
      const { session, query } = await temporaryDatabase(measured(emails));
      const answer = await run(session, text).then(
        shownResults,
        (error) => driverErrorDetails(error).message,
      );
      answers.push({ answer, log: query('SELECT id, a FROM log') });
    }
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
  },
);

test('with the statistics of ANALYZE, a statement that cannot follow a masked index runs', async () => {
  const { session } = await temporaryDatabase(measured(["'a' || i", "'b'", "'c'"]));
  for (const text of [
    "SELECT id FROM users NOT INDEXED WHERE name = 'n1'",
    'SELECT count(*) FROM users',
    'SELECT id, email FROM users AS u NOT INDEXED ORDER BY name',
    'SELECT id FROM users ORDER BY random() LIMIT 3',
    'SELECT id FROM contacts ORDER BY name, random()',
    "DELETE FROM users WHERE name = 'n1'",
    "UPDATE users SET town = 'x' WHERE name = 'n2'",
    "SELECT name FROM orders WHERE name = 'n1'",
    "INSERT INTO users (name, email) VALUES ('x', 'y')",
  ])
    await run(session, text);
  const page = { filters: [], match: 'all' as const, sort: [], limit: 3, offset: 0, guarded };
  expect(shown((await session.browse({ ...page, table: 'users' }, call)).rows, 'id')).toHaveLength(3);
  expect(shown((await session.browse({ ...page, table: 'contacts' }, call)).rows, 'id')).toHaveLength(3);
  await expect(session.browse({ ...page, table: 'busy' }, call)).rejects.toMatchObject(refused);
});

test.each([
  'SELECT name FROM phones',
  'SELECT name, phone FROM phones LIMIT 1',
  'SELECT name FROM phones ORDER BY name',
  'SELECT phones.name FROM plain LEFT JOIN phones',
  'SELECT group_concat(name) FROM phones',
  'SELECT group_concat(name) FROM phones ORDER BY random()',
  'SELECT name FROM phones ORDER BY (SELECT random())',
  'SELECT name FROM phones ORDER BY name, (random())',
  'INSERT INTO plain SELECT name FROM phones NOT INDEXED',
  'DELETE FROM phones WHERE name > 1 RETURNING name',
])('the order of the rows of a masked WITHOUT ROWID key stays hidden: %s', async (text) => {
  const { session } = await temporaryDatabase(schema);
  await expect(run(session, text)).rejects.toMatchObject(refused);
});

test.each([
  'SELECT name, email FROM phones ORDER BY random()',
  'SELECT name FROM phones NOT INDEXED ORDER BY name, random() LIMIT 1',
  'SELECT count(*) FROM phones',
  "DELETE FROM phones WHERE name = 'Ann'",
  "UPDATE phones SET name = 'x' WHERE name = 'Ann'",
])('a masked WITHOUT ROWID key does not stop a statement without an order: %s', async (text) => {
  const { session } = await temporaryDatabase(schema);
  await run(session, text);
});

const referring = `
  CREATE TABLE people (email TEXT PRIMARY KEY, name TEXT, UNIQUE (name, email));
  CREATE TABLE visits (id INTEGER PRIMARY KEY, who TEXT REFERENCES people (email), low TEXT AS (lower(who)), note TEXT);
  CREATE TABLE shifts (id INTEGER PRIMARY KEY, who TEXT REFERENCES people, note TEXT);
  CREATE TABLE rides (id INTEGER PRIMARY KEY, visitor TEXT, person TEXT, note TEXT,
    FOREIGN KEY (person, visitor) REFERENCES people (name, email));
  CREATE TABLE badges (who TEXT PRIMARY KEY REFERENCES Shifts_who (WHO), note TEXT);
  CREATE TABLE "shifts_Who" (wHo TEXT PRIMARY KEY REFERENCES PEOPLE, note TEXT);
  CREATE TABLE parts (id INTEGER PRIMARY KEY, code TEXT UNIQUE, up TEXT REFERENCES parts (code), top TEXT REFERENCES people (email));
  CREATE VIEW listed AS SELECT id, who AS visitor FROM visits;
  INSERT INTO people VALUES ('z@z.example', 'Zoe');
  INSERT INTO visits (id, who, note) VALUES (1, 'z@z.example', 'n');
  INSERT INTO shifts VALUES (1, 'z@z.example', 'n');
  INSERT INTO rides VALUES (1, 'z@z.example', 'Zoe', 'n');
  INSERT INTO "shifts_Who" VALUES ('z@z.example', 'n');
  INSERT INTO badges VALUES ('z@z.example', 'n');
`;

test.each([
  ['visits', ['who', 'low']],
  ['shifts', ['who']],
  ['rides', ['visitor']],
  ['badges', ['who']],
  ['shifts_who', ['wHo']],
  ['parts', ['top']],
  ['listed', ['visitor']],
])('a foreign key to a masked column is masked: %s', async (table, columns) => {
  const { session } = await temporaryDatabase(referring);
  const masked = (rows?: RowSet) => rows?.columns.filter((head) => head.masked).map(({ name }) => name);
  const people = maskedColumn('people.email');
  const page = { filters: [], match: 'all' as const, sort: [], limit: 3, offset: 0, guarded: people };
  expect(masked((await session.browse({ ...page, table }, call)).rows)).toEqual(columns);
  const ask = (text: string) =>
    session.run({ text, ceiling: 'write', limit: 3, guarded: people, reach: 9 }, call);
  const [result] = (await ask(`SELECT * FROM ${table}`)).results;
  expect(result?.kind === 'rows' && masked(result.rows)).toEqual(columns);
  for (const text of [
    `SELECT upper(${columns[0]}) FROM ${table}`,
    `SELECT 1 FROM ${table} WHERE ${columns[0]} > 'm'`,
  ])
    await expect(ask(text)).rejects.toMatchObject(refused);
  const filters = [{ column: columns[0]!, operator: 'starts_with' as const, value: 'z' }];
  await expect(session.browse({ ...page, table, filters }, call)).rejects.toMatchObject(refused);
});

test('a page of a view with a filter does not follow a partial index of masked values', async () => {
  const { session } = await temporaryDatabase(`
    CREATE TABLE people (id INTEGER PRIMARY KEY, email TEXT, status TEXT);
    INSERT INTO people VALUES (1, 'z@z.example', 'active'), (2, 'a@a.example', 'active'), (3, 'm@m.example', 'active');
    CREATE INDEX active ON people (email) WHERE status = 'active';
    CREATE VIEW listed AS SELECT id, status FROM people;
  `);
  const filters = [{ column: 'status', operator: 'equals' as const, value: 'active' }];
  const page = { table: 'listed', filters, match: 'all' as const, sort: [], limit: 10, offset: 0, guarded };
  expect(shown((await session.browse(page, call)).rows, 'id')).toEqual([1, 2, 3]);
});

test('a view that reads a partial index without masked columns keeps the order of its ORDER BY', async () => {
  const { session } = await temporaryDatabase(`
    CREATE TABLE people (id INTEGER PRIMARY KEY, email TEXT, gone INTEGER, made TEXT);
    INSERT INTO people VALUES (1, 'z@z.example', NULL, 'c'), (2, 'a@a.example', NULL, 'a'), (3, 'm@m.example', NULL, 'b');
    CREATE INDEX live ON people (made) WHERE gone IS NULL;
    CREATE VIEW listed AS SELECT id, made FROM people WHERE gone IS NULL ORDER BY made LIMIT 3;
  `);
  const page = {
    table: 'listed',
    filters: [],
    match: 'all' as const,
    sort: [],
    limit: 10,
    offset: 0,
    guarded,
  };
  expect(shown((await session.browse(page, call)).rows, 'id')).toEqual([2, 3, 1]);
});

test('if every column is masked, the rows do not come in the order of an index', async () => {
  const { session } = await temporaryDatabase(`
    CREATE TABLE people (email TEXT PRIMARY KEY, phone TEXT);
    INSERT INTO people VALUES ('z@z.example', '1'), ('a@a.example', '2'), ('m@m.example', '3');
    CREATE VIEW listed AS SELECT email FROM people;
  `);
  const page = { filters: [], match: 'all' as const, sort: [], limit: 10, offset: 0, guarded };
  const { rows } = await session.browse({ ...page, table: 'people', columns: ['email'] }, call);
  expect(shown(rows, 'email')).toEqual(['z@z.example', 'a@a.example', 'm@m.example']);
  const orders = new Set<string>();
  for (let times = 0; times < 40; times++)
    orders.add(shown((await session.browse({ ...page, table: 'listed' }, call)).rows, 'email').join());
  expect(orders.size).toBeGreaterThan(1);
  const all = { table: 'listed', filters: [], match: 'all' as const, sort: [], guarded };
  const batches = await Array.fromAsync(session.sampleRows!({ ...all, rows: 2 }, call));
  expect(batches.reduce((sum, { rowCount }) => sum + rowCount, 0)).toBe(2);
});

function run(session: TemporaryDatabase['session'], text: string) {
  return session.run({ text, ceiling: 'destroy', limit: 10, guarded, reach: 100 }, call);
}

function shownResults({ results }: RunOutcome): unknown {
  return results.map((result) => {
    if (result.kind !== 'rows') return result.kind === 'affected' ? result.rows : null;
    return result.rows.columns.map((head) => (head.masked ? '•••' : shown(result.rows, head.name)));
  });
}

function shown(rows: RowSet, column: string): unknown[] {
  const at = rows.columns.findIndex(({ name }) => name === column);
  return Array.from({ length: rows.rowCount }, (_, row) => cellAt(rows, at, row));
}
