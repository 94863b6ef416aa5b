import {
  type Cell,
  type Change,
  cellAt,
  driverErrorDetails,
  type Guarded,
  maskedColumn,
  type RowSet,
} from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { call, type TemporaryDatabase, temporaryDatabase } from './testing/temporary-database.ts';

const secret = 'ada@lovelace.example';
const schema = `
  CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT, email TEXT, age INTEGER,
    domain TEXT GENERATED ALWAYS AS (substr(email, 5)) VIRTUAL);
  INSERT INTO users (id, name, email, age) VALUES (1, 'Ada', '${secret}', 36), (2, 'Bob', 'bob@b.example', 40);
  CREATE TABLE orders (id INTEGER PRIMARY KEY, user_id INTEGER, email TEXT, total REAL);
  INSERT INTO orders VALUES (1, 1, 'none', 9.5);
  CREATE TABLE "odd users" ("E mail" TEXT, "ÉMAIL" TEXT, x);
  CREATE TABLE "ÉUSERS" (email TEXT);
  CREATE TABLE "éusers" (x);
  INSERT INTO "ÉUSERS" VALUES ('${secret}');
  CREATE TABLE ssn (number INTEGER PRIMARY KEY, n);
  INSERT INTO ssn VALUES (123456789, 1);
  CREATE TABLE audit (a, b, contact);
  CREATE TRIGGER counts AFTER UPDATE ON audit BEGIN INSERT INTO audit (a) SELECT seq FROM sqlite_sequence; END;
  CREATE TABLE members (id INTEGER PRIMARY KEY, name TEXT, email TEXT UNIQUE);
  INSERT INTO members VALUES (1, 'Ada', '${secret}');
  CREATE TABLE places (id INTEGER PRIMARY KEY, name TEXT, email TEXT, low TEXT AS (lower(email)) UNIQUE);
  CREATE TABLE nicks (id INTEGER PRIMARY KEY, name TEXT, email TEXT);
  CREATE UNIQUE INDEX nicks_by_mail ON nicks (upper(email));
  CREATE TABLE halls (id INTEGER PRIMARY KEY);
  INSERT INTO halls VALUES (1);
  CREATE TABLE bookings (id INTEGER PRIMARY KEY, hall INTEGER REFERENCES halls);
  CREATE TABLE visits (id INTEGER PRIMARY KEY, who TEXT REFERENCES members (email), note TEXT);
  CREATE TABLE calls (id INTEGER PRIMARY KEY, who TEXT DEFAULT 'x' REFERENCES members (email), note TEXT);
  CREATE TABLE cards (id INTEGER PRIMARY KEY REFERENCES ssn (number), note TEXT);
  CREATE TABLE rides (id INTEGER PRIMARY KEY, who TEXT REFERENCES members (email), note TEXT);
  CREATE TRIGGER rides_who AFTER INSERT ON rides BEGIN UPDATE rides SET who = new.note WHERE id = new.id; END;
  CREATE TABLE trips (id INTEGER PRIMARY KEY, who TEXT REFERENCES members (email), note TEXT);
  CREATE TRIGGER trips_who AFTER INSERT ON trips BEGIN INSERT INTO visits (who) VALUES (new.note); END;
  CREATE TABLE staff (id INTEGER PRIMARY KEY, team TEXT, email TEXT, note TEXT, UNIQUE (team, email));
  INSERT INTO staff VALUES (1, 'a', '${secret}', ''), (2, 'b', '${secret}', '');
  CREATE TABLE shifts (id INTEGER PRIMARY KEY, team TEXT, email TEXT, note TEXT,
    FOREIGN KEY (team, email) REFERENCES staff (team, email));
  INSERT INTO shifts VALUES (1, 'a', '${secret}', '');
  CREATE TABLE rooms (floor INTEGER, number INTEGER, PRIMARY KEY (floor, number));
  CREATE TABLE stays (id INTEGER PRIMARY KEY, floor INTEGER, number INTEGER, note TEXT,
    FOREIGN KEY (floor, number) REFERENCES rooms);
  INSERT INTO rooms VALUES (1, 7), (2, 8);
  INSERT INTO stays VALUES (1, 1, 7, '');
  CREATE TABLE guests (id INTEGER PRIMARY KEY, name TEXT, email TEXT UNIQUE DEFAULT 'none');
  CREATE TABLE titled (id INTEGER PRIMARY KEY, name TEXT, email TEXT, note TEXT);
  CREATE UNIQUE INDEX titled_by_name ON titled (name) WHERE email > 'm';
  CREATE UNIQUE INDEX titled_by_note ON titled (note) WHERE name > 'm';
  CREATE TABLE tags (id INTEGER PRIMARY KEY, name TEXT, email TEXT, tag TEXT AS (name || email) UNIQUE);
  CREATE TABLE slugs (id INTEGER PRIMARY KEY, email TEXT, name TEXT, team TEXT, slug TEXT AS (lower(name)) UNIQUE,
    low TEXT AS (lower(email)), both TEXT AS (low || slug) UNIQUE);
  INSERT INTO slugs (email, name) VALUES ('${secret}', 'Ada');
  CREATE TABLE pages (id INTEGER PRIMARY KEY, email TEXT, name TEXT, team TEXT, slug TEXT AS (lower(name)) UNIQUE);
  INSERT INTO pages (email, name) VALUES ('${secret}', 'Ada');
  CREATE TABLE named (oid TEXT, rowid TEXT, email TEXT UNIQUE);
  CREATE TABLE hidden (oid INTEGER PRIMARY KEY, n);
  CREATE TABLE tickets (number INTEGER PRIMARY KEY AUTOINCREMENT, n);
  INSERT INTO tickets VALUES (123456789, 1);
  CREATE VIEW counters AS SELECT seq AS n FROM sqlite_sequence;
  CREATE TABLE lanes (id INTEGER PRIMARY KEY AUTOINCREMENT, n);
  CREATE TABLE parcels (code TEXT PRIMARY KEY, n) WITHOUT ROWID;
  INSERT INTO parcels VALUES ('${secret}', 1);
  CREATE TABLE checked (id INTEGER PRIMARY KEY, n);
  CREATE TRIGGER checks AFTER INSERT ON checked WHEN (SELECT email FROM single) > new.n
    BEGIN SELECT RAISE(ABORT, 'less'); END;
  CREATE TABLE pairs (id INTEGER PRIMARY KEY, name TEXT, email TEXT, note TEXT, place TEXT CHECK (place <> pairs.'email'), rank INTEGER,
    other TEXT AS (nullif(rank, email)) NOT NULL, CHECK (name <> (email)), CHECK (note <> 'email'));
  INSERT INTO pairs (name, email, note, rank) VALUES ('Ada', '${secret}', '', 1);
  CREATE TABLE single (email TEXT);
  INSERT INTO single VALUES ('${secret}');
  CREATE INDEX users_email ON users (email);
  CREATE VIEW contacts AS SELECT id, email AS contact FROM users;
  CREATE VIEW adults AS SELECT id, name FROM users WHERE email LIKE 'a%';
  CREATE VIEW initials AS SELECT id, substr(email, 1, 1) AS i FROM users;
  CREATE VIEW nested AS SELECT contact AS c FROM contacts;
  CREATE VIEW joined AS SELECT email FROM orders FULL JOIN users USING (email);
  CREATE VIEW sorted AS SELECT id, email AS e FROM users ORDER BY e;
  CREATE VIRTUAL TABLE found USING fts5(email, content='users', content_rowid='id');
  INSERT INTO found (found) VALUES ('rebuild');
  CREATE VIRTUAL TABLE terms USING fts5vocab(found, 'row');
  CREATE VIRTUAL TABLE found_by_view USING fts5(c, content='nested', content_rowid='rowid');
  CREATE VIEW order_mails AS SELECT id, email AS mail FROM orders;
  CREATE VIRTUAL TABLE found_by_masked_view USING fts5(mail, content='order_mails', content_rowid='id');
  CREATE VIRTUAL TABLE notes USING fts5(body);
  CREATE TRIGGER users_audit AFTER UPDATE OF age ON users BEGIN INSERT INTO audit (a, b) VALUES (old.id, new.email); END;
  CREATE VIEW twin AS SELECT id, email FROM users;
  CREATE TRIGGER twin AFTER DELETE ON orders BEGIN INSERT INTO audit (a, b) VALUES (1, (SELECT email FROM users)); END;
`;

const guarded: Guarded = [
  'users.email',
  'single.*',
  'ssn.number',
  'members.email',
  'places.email',
  'nicks.email',
  'bookings.hall',
  'staff.email',
  'stays.number',
  'guests.email',
  'titled.email',
  'tags.email',
  'slugs.email',
  'pages.email',
  'named.email',
  'hidden.oid',
  'tickets.number',
  'parcels.code',
  'pairs.email',
  'éusers.email',
  'order_mails.mail',
  'odd users.E mail',
  'odd users.émail',
].flatMap(maskedColumn);

/** Each statement could reveal something about a guarded value, or let a later statement reveal it. */
const attacks = [
  'SELECT substr(email, 1, 3) FROM users',
  "SELECT email || '' FROM users",
  "SELECT 'x' || email AS name FROM users",
  'SELECT hex(email), email FROM users',
  'SELECT +email FROM users',
  'SELECT email COLLATE NOCASE FROM users',
  'SELECT CAST(email AS BLOB) FROM users',
  "SELECT CASE WHEN email LIKE 'a%' THEN 1 ELSE 0 END FROM users",
  "SELECT email LIKE 'a%' FROM users",
  'SELECT length(email) FROM users',
  'SELECT email IS NULL FROM users',
  'SELECT min(email), max(email) FROM users',
  'SELECT count(email) FROM users',
  'SELECT count(DISTINCT email) FROM users',
  'SELECT group_concat(email) FROM users',
  'SELECT json_array(email) FROM users',
  'SELECT json_group_array(email) FROM users',
  'SELECT u.value FROM users, json_each(json_array(users.email)) u',
  "SELECT id FROM users WHERE email LIKE 'a%'",
  "SELECT email FROM users WHERE email > 'b'",
  "SELECT email AS e FROM users WHERE e LIKE 'a%'",
  "SELECT id FROM users WHERE EMAIL = 'x'",
  'SELECT id FROM users WHERE "email" IS NOT NULL',
  "SELECT id FROM users WHERE [Email] GLOB 'a*'",
  "SELECT id FROM users WHERE `eMAIL` REGEXP '^a'",
  'SELECT id FROM users ORDER BY email',
  'SELECT email FROM users ORDER BY 1',
  'SELECT email FROM users ORDER BY +1',
  'SELECT id, email FROM users ORDER BY (0x2)',
  'SELECT email AS e FROM users ORDER BY e',
  'SELECT email AS e FROM users ORDER BY "E" DESC',
  'SELECT email AS name FROM users ORDER BY name',
  'SELECT email AS name FROM users GROUP BY name',
  'SELECT id FROM users GROUP BY email',
  'SELECT email FROM users GROUP BY 1',
  "SELECT id FROM users GROUP BY id HAVING email > 'b'",
  'SELECT DISTINCT email FROM users',
  'SELECT email FROM users LIMIT (SELECT count(email) FROM users)',
  'SELECT id, row_number() OVER (ORDER BY email) FROM users',
  'SELECT email, count(*) OVER w FROM users WINDOW w AS (PARTITION BY email)',
  'SELECT (SELECT email FROM users LIMIT 1)',
  'SELECT (SELECT email FROM users LIMIT 1) AS name FROM orders',
  "SELECT s FROM (SELECT email AS s FROM users) WHERE s LIKE 'a%'",
  'SELECT * FROM (SELECT email AS s FROM users) ORDER BY s',
  'WITH c AS (SELECT email AS s FROM users) SELECT s FROM c',
  "WITH c AS (SELECT email AS s FROM users) SELECT count(*) FROM c WHERE s LIKE 'a%'",
  'WITH contacts AS (SELECT substr(email, 1, 1) AS x FROM users) SELECT x FROM contacts',
  'WITH nested AS (SELECT substr(email, 1, 1) AS x FROM users) SELECT x FROM nested',
  'SELECT name FROM users UNION SELECT email FROM users',
  'SELECT email FROM users UNION ALL SELECT name FROM users',
  'SELECT name FROM users EXCEPT SELECT email FROM users',
  "VALUES ((SELECT email FROM users LIMIT 1)), ('x')",
  "SELECT 'a' IN single",
  'SELECT a.id FROM users a JOIN users b ON a.email < b.email',
  'SELECT orders.id FROM orders NATURAL JOIN users',
  'SELECT orders.id FROM orders JOIN users USING (email)',
  'SELECT email FROM orders FULL JOIN users USING ("EMAIL")',
  'SELECT orders.id FROM orders JOIN users USING (id, email)',
  'SELECT id FROM users',
  'SELECT id FROM users LIMIT 1',
  'SELECT users.id FROM orders LEFT JOIN users',
  'SELECT group_concat(id) FROM users',
  'WITH c AS (SELECT group_concat(id) AS g FROM users) SELECT g FROM c',
  'SELECT * FROM (SELECT count(*), group_concat(id) FROM users)',
  'SELECT id FROM users ORDER BY id * 0',
  ';; SELECT id FROM users -- x',
  'SELECT contact FROM contacts',
  'INSERT INTO audit (a) SELECT id FROM users',
  'SELECT id FROM users INDEXED BY users_email WHERE id > 0',
  'SELECT substr(domain, 1, 3) FROM users',
  "SELECT id FROM users WHERE domain = 'x'",
  'SELECT rowid + 0 FROM ssn',
  'SELECT n FROM ssn WHERE rowid > 5',
  'SELECT n FROM ssn WHERE _rowid_ BETWEEN 1 AND 2',
  'SELECT "E mail" || 1 FROM "odd users"',
  'SELECT upper("ÉMAIL") FROM "odd users"',
  'SELECT upper(email) FROM "ÉUSERS"',
  'SELECT substr(contact, 1, 2) FROM contacts',
  "SELECT id FROM contacts WHERE contact LIKE 'a%'",
  'SELECT id FROM contacts ORDER BY contact',
  'SELECT audit.a FROM audit JOIN contacts USING (contact)',
  'SELECT c || 1 FROM nested',
  'SELECT id FROM adults',
  'SELECT count(*) FROM adults',
  'SELECT i FROM initials',
  'SELECT email FROM joined',
  'SELECT id FROM sorted',
  'SELECT * FROM found',
  "SELECT rowid FROM found WHERE found MATCH 'lovelace'",
  'SELECT term FROM terms',
  'SELECT * FROM found_by_view',
  'SELECT * FROM found_by_masked_view',
  'SELECT * FROM found_docsize',
  'EXPLAIN SELECT max(email) FROM users',
  'INSERT INTO audit SELECT id, email, 1 FROM users',
  'INSERT INTO audit (a, b) SELECT * FROM contacts',
  'INSERT INTO users (id, name) VALUES (1, 2) ON CONFLICT (id) DO UPDATE SET name = email',
  'INSERT INTO users (name) VALUES (1) RETURNING email',
  'UPDATE users SET name = 1 WHERE id = 1 RETURNING *',
  'UPDATE users SET name = email WHERE id = 1',
  "UPDATE users SET name = 'x' WHERE email LIKE 'a%'",
  'UPDATE orders SET email = users.email FROM users WHERE users.id = orders.user_id',
  'UPDATE users SET age = 1 WHERE id = 1',
  "DELETE FROM users WHERE email = 'x'",
  'DELETE FROM orders WHERE id IN (SELECT user_id FROM users WHERE email IS NULL)',
  'DELETE FROM orders WHERE id = 1',
  'CREATE TABLE copy AS SELECT * FROM users',
  'CREATE VIEW copy AS SELECT email || 1 FROM users',
  'CREATE TRIGGER copy AFTER INSERT ON audit BEGIN SELECT email FROM users; END',
  "CREATE VIRTUAL TABLE copy USING fts5(email, content='users')",
  'CREATE UNIQUE INDEX probe ON users (substr(email, 1, 1))',
  "CREATE INDEX probe ON users (id) WHERE email > 'b'",
  `INSERT INTO members (name, email) VALUES ('x', '${secret}')`,
  "INSERT INTO members VALUES (2, 'x', 'guess')",
  "INSERT INTO members AS m (email) SELECT 'guess'",
  'WITH g(v) AS (VALUES (\'guess\')) INSERT INTO main.members ("EMAIL") SELECT v FROM g',
  "UPDATE members SET email = 'guess' WHERE id = 1",
  "INSERT INTO places (email) VALUES ('guess')",
  "UPDATE nicks SET email = 'guess' WHERE id = 1",
  "INSERT INTO visits (who) VALUES ('guess')",
  "UPDATE visits SET who = 'guess' WHERE id = 1",
  'INSERT INTO ssn VALUES (123456789, 2)',
  'DELETE FROM halls WHERE id = 1',
  'INSERT INTO ssn (rowid, n) VALUES (123456789, 2)',
  'SELECT users.id FROM orders LEFT JOIN users ON users.id % 7 < 6',
  'SELECT users.id FROM orders LEFT JOIN users ORDER BY orders.id',
  'SELECT users.id FROM orders LEFT JOIN users ON true LEFT JOIN audit ON audit.a = 1',
  'SELECT users.id FROM orders FULL JOIN users ON users.id % 7 < 6',
  'EXPLAIN SELECT email FROM users',
  "EXPLAIN QUERY PLAN SELECT id FROM users WHERE email > 'm'",
  "UPDATE staff SET team = 'b' WHERE id = 1",
  "INSERT INTO staff (team, email) VALUES ('a', 'guess')",
  "UPDATE shifts SET team = 'b' WHERE id = 1",
  'UPDATE stays SET floor = 2 WHERE id = 1',
  "INSERT INTO guests (name) VALUES ('x')",
  'INSERT INTO guests DEFAULT VALUES',
  "UPDATE titled SET name = 'x' WHERE id = 1",
  "INSERT INTO titled (name) VALUES ('x')",
  "UPDATE tags SET name = 'x' WHERE id = 1",
  "UPDATE slugs SET name = 'x' WHERE id = 1",
  "INSERT INTO slugs (name) VALUES ('x')",
  "INSERT INTO slugs (team) VALUES ('x')",
  'SELECT id FROM slugs ORDER BY low',
  'SELECT upper(both) FROM slugs',
  "UPDATE named SET email = 'guess'",
  'UPDATE hidden SET oid = 5',
  'UPDATE hidden SET _rowid_ = 5',
  'INSERT INTO hidden (rowid, n) VALUES (5, 1)',
  'INSERT INTO tickets (n) VALUES (2) RETURNING last_insert_rowid()',
  'SELECT last_insert_rowid()',
  'SELECT * FROM sqlite_sequence',
  'SELECT seq FROM [SQLite_Sequence]',
  'SELECT seq FROM main."sqlite_sequence" LIMIT 1',
  'SELECT n FROM counters',
  'UPDATE audit SET a = 1',
  'DELETE FROM sqlite_sequence WHERE seq > 5',
  "INSERT INTO checked (n) VALUES ('guess')",
  `UPDATE pairs SET name = '${secret}' WHERE id = 1`,
  'UPDATE pairs SET rank = 2 WHERE id = 1',
  "UPDATE pairs SET place = 'guess' WHERE id = 1",
  'PRAGMA foreign_key_check',
  'PRAGMA main.Integrity_Check',
  "SELECT * FROM pragma_foreign_key_check('ssn')",
  'SELECT count(*) FROM pragma_quick_check',
  'SELECT email FROM users AS lımıt NOT INDEXED ORDER BY lımıt.id * 0, 1',
  "WITH ınto(x) AS (SELECT 'guess') INSERT INTO members (email) SELECT x FROM ınto",
  'ALTER TABLE users RENAME COLUMN email TO plain',
  'ALTER TABLE users RENAME TO people',
];

const harmless = [
  "UPDATE pairs SET note = 'x' WHERE id = 1",
  "UPDATE pairs SET email = 'x', name = 'y', place = 'z', rank = 3 WHERE id = 1",
  "INSERT INTO pairs (name, email, note, rank) VALUES ('x', 'y', '', 1)",
  "UPDATE staff SET note = 'x' WHERE id = 1",
  "INSERT INTO staff (team, note) VALUES ('a', 'x')",
  "UPDATE shifts SET note = 'x' WHERE id = 1",
  "UPDATE stays SET note = 'x' WHERE id = 1",
  'UPDATE stays SET floor = 2, number = 8 WHERE id = 1',
  'INSERT INTO stays (floor, number) VALUES (1, 7)',
  "UPDATE guests SET name = 'x' WHERE id = 1",
  "UPDATE titled SET note = 'x' WHERE id = 1",
  "UPDATE slugs SET team = 'x' WHERE id = 1",
  'SELECT slug, low, both FROM slugs ORDER BY slug',
  "UPDATE pages SET name = 'x' WHERE id = 1",
  "UPDATE pages SET team = 'x', email = 'y' WHERE id = 1",
  "INSERT INTO pages (name, email) VALUES ('x', 'y')",
  "SELECT upper(slug) FROM pages WHERE slug > 'a'",
  "UPDATE named SET oid = 'x', rowid = 'y'",
  "INSERT INTO named (oid, rowid) VALUES ('x', 'y')",
  'INSERT INTO hidden (n) VALUES (1)',
  'DROP TABLE lanes',
  'ALTER TABLE lanes RENAME TO roads',
  'ALTER TABLE orders RENAME TO purchases',
  'SELECT users.id FROM orders LEFT JOIN users ON users.id = orders.user_id',
  'SELECT id FROM users NOT INDEXED',
  'SELECT users.id FROM orders LEFT JOIN users NOT INDEXED ON users.id % 7 < 6',
  "INSERT INTO members (name) VALUES ('x')",
  "UPDATE members SET name = 'x' WHERE id = 1",
  "INSERT INTO users (email) VALUES ('x')",
  'SELECT 1',
  'SELECT id, name FROM users WHERE age > 1 ORDER BY 2',
  'SELECT id, email FROM users ORDER BY id',
  'EXPLAIN SELECT id FROM users',
  'SELECT id, name FROM users',
  'SELECT * FROM users WHERE id IN (1, 2) ORDER BY name LIMIT 5;',
  'SELECT email AS name, id FROM users ORDER BY age',
  'SELECT email AS "from", (email) FROM users ORDER BY id',
  'SELECT u.email, o.total FROM users AS u JOIN orders o ON o.user_id = u.id',
  'SELECT * FROM orders JOIN users USING (id)',
  'SELECT email FROM orders ORDER BY email',
  'SELECT count(*) FROM users',
  'SELECT contact FROM contacts ORDER BY id',
  'SELECT * FROM contacts WHERE id = 1',
  'SELECT count(*) FROM nested',
  'SELECT rowid, n FROM ssn',
  'SELECT rowid, n FROM ssn ORDER BY random()',
  'SELECT domain FROM users ORDER BY id',
  'SELECT "e MAIL" AS "x y" FROM "odd users"',
  'SELECT * FROM "ÉUSERS"',
  'SELECT * FROM "éusers"',
  "SELECT * FROM notes WHERE notes MATCH 'x'",
  'SELECT max(age), email FROM users',
  'WITH o AS (SELECT total FROM orders) SELECT sum(total) FROM o',
];

test.each(attacks)('refused: %s', async (text) => {
  const { session, query } = await temporaryDatabase(schema);
  const before = query('SELECT * FROM sqlite_schema');
  const failure = await run(session, text).then(
    (outcome) => ({ ran: outcome }),
    (error) => driverErrorDetails(error),
  );
  expect(failure).toMatchObject({ code: 'refused', hint: expect.stringMatching(/plain result columns/) });
  expect(query('SELECT * FROM sqlite_schema')).toEqual(before);
});

test.each(harmless)('runs, with guarded values marked: %s', async (text) => {
  const { session } = await temporaryDatabase(schema);
  const { results } = await run(session, text);
  for (const result of results) if (result.kind === 'rows') expectHidden(result.rows);
});

test('a result names the origin of its columns only if something is guarded', async () => {
  const { session } = await temporaryDatabase(schema);
  const text = 'SELECT u.email AS name, id, 1 AS one FROM Users u ORDER BY id';
  const { results } = await run(session, text);
  const [result] = results;
  expect(result?.kind === 'rows' && result.rows.columns).toEqual([
    {
      name: 'name',
      type: 'text',
      nativeType: 'TEXT',
      origin: { table: 'users', column: 'email' },
      masked: true,
    },
    { name: 'id', type: 'int', nativeType: 'INTEGER', origin: { table: 'users', column: 'id' } },
    { name: 'one', type: 'any', nativeType: '' },
  ]);
  const [plain] = (await session.run({ text, ceiling: 'read', limit: 10, guarded: [] }, call)).results;
  expect(plain?.kind === 'rows' && plain.rows.columns).toEqual([
    { name: 'name', type: 'text', nativeType: 'TEXT' },
    { name: 'id', type: 'int', nativeType: 'INTEGER' },
    { name: 'one', type: 'any', nativeType: '' },
  ]);
});

test('if no column is guarded, a statement can filter by email', async () => {
  const { session } = await temporaryDatabase(schema);
  const request = { text: "SELECT id FROM users WHERE email LIKE 'a%'", ceiling: 'read' as const, limit: 9 };
  expect((await session.run({ ...request, guarded: [] }, call)).effect).toBe('read');
});

test('an insert that could reveal a guarded rowid through a partial unique index is refused', async () => {
  const { session } = await temporaryDatabase(
    'CREATE TABLE r (id INTEGER PRIMARY KEY, b); CREATE UNIQUE INDEX i ON r (b) WHERE rowid > 3;',
  );
  const request = { text: 'INSERT INTO r (b) VALUES (1)', ceiling: 'write' as const, limit: 1 };
  const hidden = [{ table: 'r', column: 'id' }];
  await expect(session.run({ ...request, guarded: hidden }, call)).rejects.toThrow(
    'a constraint could reveal values of r.id',
  );
});

test('a guarded column may be written', async () => {
  const { session, query } = await temporaryDatabase(schema);
  await run(session, "UPDATE users SET email = 'new' WHERE id = 2");
  await run(session, "INSERT INTO users (id, email) VALUES (3, 'third') RETURNING id");
  expect(query('SELECT email FROM users WHERE id > 1')).toEqual([['new'], ['third']]);
});

test('a save cannot find out whether a guarded value exists', async () => {
  const { session, query } = await temporaryDatabase(schema);
  const save = async (table: string, change: Change) => {
    const request = { table, changes: [change], rowTimeoutMs: 9_000, guarded };
    const reports = await Array.fromAsync(session.applyChanges!(request, call));
    return reports.flatMap(({ outcomes }) => outcomes)[0]?.status;
  };
  const insert = (values: Record<string, Cell>): Change => ({ kind: 'insert', id: 'c', values });
  const update = (values: Record<string, Cell>): Change => ({
    kind: 'update',
    id: 'c',
    key: { id: 1 },
    values,
  });
  for (const [table, change] of [
    ['members', insert({ email: secret })],
    ['MEMBERS', insert({ EMAIL: 'guess' })],
    ['members', update({ email: 'guess' })],
    ['places', insert({ email: 'guess' })],
    ['nicks', insert({ email: 'guess' })],
    ['visits', insert({ who: 'guess' })],
    ['visits', insert({ WHO: 'guess', note: 'z' })],
    ['calls', insert({ note: 'z' })],
    ['cards', insert({ note: 'z' })],
    ['rides', insert({ note: 'guess' })],
    ['trips', insert({ note: 'guess' })],
    ['ssn', insert({ number: 123456789 })],
    ['halls', { kind: 'delete', id: 'c', key: { id: 1 } }],
    ['halls', update({ id: 3 })],
    ['staff', update({ team: 'b' })],
    ['shifts', update({ team: 'b' })],
    ['stays', update({ floor: 2 })],
    ['guests', insert({ name: 'x' })],
    ['guests', insert({})],
    ['titled', update({ name: 'x' })],
    ['tags', update({ name: 'x' })],
    ['slugs', update({ name: 'x' })],
    ['slugs', insert({ name: 'x' })],
    ['checked', insert({ n: 'guess' })],
    ['parcels', insert({ code: 'guess' })],
    ['parcels', { kind: 'update', id: 'c', key: { code: 'guess' }, values: { n: 2 } }],
    ['parcels', { kind: 'delete', id: 'c', key: { CODE: 'guess' } }],
    ['tickets', { kind: 'delete', id: 'c', key: { number: 5 } }],
  ] as const)
    await expect(save(table, change)).rejects.toMatchObject({ code: 'refused' });
  expect(await save('members', update({ name: 'x' }))).toBe('applied');
  expect(await save('members', insert({ name: 'y' }))).toBe('applied');
  expect(await save('users', insert({ email: 'z' }))).toBe('applied');
  expect(await save('stays', update({ note: 'z' }))).toBe('applied');
  expect(await save('pages', update({ name: 'z' }))).toBe('applied');
  expect(await save('pages', insert({ name: 'y' }))).toBe('applied');
  expect(await save('slugs', update({ team: 'z' }))).toBe('applied');
  expect(await save('visits', insert({ note: 'z' }))).toBe('applied');
  expect(await save('shifts', insert({ team: 'a' }))).toBe('applied');
  expect(await save('named', insert({ oid: 'z' }))).toBe('applied');
  expect(await save('tickets', insert({ n: 2 }))).toBe('applied');
  expect(await save('members', insert({ nobody: 1 }))).toBe('failed');
  expect(query('SELECT name, email FROM members')).toEqual([
    ['x', secret],
    ['y', null],
  ]);
});

test('a save into a view with a guarded column fails as read only, not as refused', async () => {
  const { session } = await temporaryDatabase(schema);
  const changes: Change[] = [
    { kind: 'insert', id: 'a', values: { id: 1 } },
    { kind: 'delete', id: 'b', key: { id: 1 } },
  ];
  const request = { table: 'contacts', changes, rowTimeoutMs: 9_000, guarded };
  const reports = await Array.fromAsync(session.applyChanges!(request, call));
  const error = {
    code: 'unsupported',
    message: expect.stringMatching(/^contacts is read only\. A view shows rows/),
  };
  expect(reports.flatMap(({ outcomes }) => outcomes)).toMatchObject([
    { id: 'a', status: 'failed', error },
    { id: 'b', status: 'failed', error },
  ]);
});

test('pages, cells and exports mark guarded columns, and a read that filters, sorts or finds rows by them is refused', async () => {
  const { session } = await temporaryDatabase(schema);
  const all = { filters: [], match: 'all' as const, sort: [], guarded };
  const page = { ...all, limit: 10, offset: 0 };
  const filters = [{ column: 'Email', operator: 'starts_with' as const, value: 'a' }];
  const sort = [{ column: 'EMAIL', order: 'asc' as const }];
  for (const table of [
    'users',
    'USERS',
    'contacts',
    'nested',
    'ssn',
    'single',
    'odd users',
    'ÉUSERS',
    'éusers',
  ]) {
    expectHidden((await session.browse({ ...page, table }, call)).rows);
    for await (const rows of session.exportRows!({ ...all, table }, call)) expectHidden(rows);
    expect(await session.count({ ...all, table }, call)).toBeGreaterThanOrEqual(0);
  }
  const cells = { table: 'users', keys: [{ id: 1 }], columns: ['email', 'domain'], guarded };
  expectHidden(await session.readCells!(cells, call));
  const attempts: (() => Promise<unknown>)[] = [
    () => session.browse({ ...page, table: 'Users', filters }, call),
    () => session.browse({ ...page, table: 'users', sort }, call),
    () => session.browse({ ...page, table: 'adults' }, call),
    () => session.browse({ ...page, table: 'found' }, call),
    () =>
      session.browse({ ...page, table: 'contacts', filters: [{ ...filters[0]!, column: 'contact' }] }, call),
    () => session.count({ ...all, table: 'users', filters }, call),
    () => session.count({ ...all, table: 'adults' }, call),
    () => Array.fromAsync(session.exportRows!({ ...all, table: 'users', filters }, call)),
    () => Array.fromAsync(session.exportRows!({ ...all, table: 'users', sort }, call)),
    () => Array.fromAsync(session.exportRows!({ ...all, table: 'ssn', after: { number: 5 } }, call)),
    () => Array.fromAsync(session.exportRows!({ ...all, table: 'parcels', after: { code: 'm' } }, call)),
    () => session.readCells!({ table: 'ssn', keys: [{ number: 5 }], columns: ['n'], guarded }, call),
  ];
  for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ code: 'refused' });
});

function run(session: TemporaryDatabase['session'], text: string) {
  return session.run({ text, ceiling: 'destroy', limit: 10, guarded }, call);
}

/** No cell outside a marked column contains a guarded value. */
function expectHidden(rows: RowSet): void {
  for (let row = 0; row < rows.rowCount; row++) {
    const shown = rows.columns.flatMap(({ masked }, column) => (masked ? [] : [cellAt(rows, column, row)]));
    expect(JSON.stringify(shown)).not.toMatch(/lovelace|b\.example|123456789/);
  }
}
