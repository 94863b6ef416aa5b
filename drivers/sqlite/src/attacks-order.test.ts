import { maskedColumn } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { call, temporaryDatabase } from './testing/temporary-database.ts';

/** Attempts to learn the order of masked values, by which SQLite reads the rows of `users` and `phones`. */
const schema = `
  CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT, email TEXT, town TEXT, seen INTEGER);
  INSERT INTO users (id, name, email)
    VALUES (1, 'Zoe', 'z@z.example'), (2, 'Bob', 'b@b.example'), (3, 'Mia', 'm@m.example');
  CREATE INDEX users_email ON users (email, name);
  CREATE TABLE phones (email TEXT PRIMARY KEY, name TEXT, town TEXT) WITHOUT ROWID;
  INSERT INTO phones VALUES ('z@z.example', 'Bob', 't'), ('b@b.example', 'Ann', 't');
  CREATE TABLE log (id INTEGER PRIMARY KEY, a);
  CREATE TABLE copied (id INTEGER PRIMARY KEY, a);
  CREATE TRIGGER copied_log AFTER INSERT ON copied BEGIN INSERT INTO log (a) SELECT name FROM users; END;
  CREATE TABLE first (id INTEGER PRIMARY KEY, a);
  CREATE TRIGGER first_log AFTER INSERT ON first BEGIN
    UPDATE log SET a = (SELECT name FROM users) WHERE id = 1; END;
  CREATE TABLE asked (id INTEGER PRIMARY KEY, a);
  CREATE TRIGGER asked_log BEFORE INSERT ON asked WHEN (SELECT name FROM users) = 'Bob' BEGIN
    SELECT RAISE(ABORT, 'no'); END;
  CREATE TABLE listed (id INTEGER PRIMARY KEY, a);
  CREATE TRIGGER listed_log AFTER INSERT ON listed BEGIN INSERT INTO log (a) SELECT name FROM phones; END;
  CREATE TABLE nested (id INTEGER PRIMARY KEY, a);
  CREATE TRIGGER nested_copied AFTER INSERT ON nested BEGIN INSERT INTO copied (a) VALUES (new.a); END;
  CREATE TABLE halls (id INTEGER PRIMARY KEY, name TEXT);
  INSERT INTO halls VALUES (1, 'x');
  CREATE TABLE guests (email TEXT PRIMARY KEY, name TEXT, hall INTEGER REFERENCES halls ON DELETE CASCADE) WITHOUT ROWID;
  CREATE TRIGGER guests_log AFTER DELETE ON guests BEGIN INSERT INTO log (a) VALUES (old.name); END;
  INSERT INTO guests VALUES ('z@z.example', 'Zoe', 1), ('b@b.example', 'Bob', 1);
  CREATE TRIGGER users_seen AFTER UPDATE OF town ON users BEGIN
    UPDATE users SET seen = coalesce(seen, 0) + 1 WHERE id = new.id; END;
  CREATE VIRTUAL TABLE found USING fts4(content="users", email);
  INSERT INTO found (found) VALUES ('rebuild');
`;
const guarded = maskedColumn('email');
const refused = { code: 'refused', hint: expect.stringMatching(/plain result columns/) };
const starting = ['copied', 'first', 'asked', 'listed', 'nested'];

test.each<[string, string]>([
  ...starting.map((table): [string, string] => [
    `a trigger of ${table}`,
    `INSERT INTO ${table} (a) VALUES (1)`,
  ]),
  ['a LIMIT', 'SELECT 1 FROM log ORDER BY random() LIMIT (SELECT id FROM users)'],
  ['an OFFSET', 'SELECT 1 FROM log ORDER BY random() LIMIT 9 OFFSET (SELECT id FROM users)'],
  ['an error of a path', "SELECT json_extract('{}', name) FROM users ORDER BY random()"],
  ['an error of an arrow', "SELECT '{}' -> ('$' || name) FROM users ORDER BY random()"],
  ['an error of a key', "SELECT json_extract('{}', name) FROM phones ORDER BY random()"],
  ['an error of a pattern', "SELECT name REGEXP (name || '(') FROM phones ORDER BY name, random()"],
  ['an error of an update', "UPDATE phones SET town = 'x' WHERE name REGEXP (name || '(')"],
  ['an error of a deletion', "DELETE FROM phones WHERE json_extract('{}', name) = 1"],
  ['an error of a new value', "UPDATE phones SET town = json_extract('{}', name) WHERE name <> ''"],
])('%s reveals no order of masked values', async (_, text) => {
  const { session, query } = await temporaryDatabase(schema);
  await expect(run(session, text)).rejects.toMatchObject(refused);
  expect(query('SELECT a FROM log')).toEqual([]);
});

test.each([
  ...starting.map((table) => ({ table, changes: [{ kind: 'insert' as const, id: 'a', values: { a: 1 } }] })),
  { table: 'halls', changes: [{ kind: 'delete' as const, id: 'a', key: { id: 1 } }] },
])('a save into $table reveals no order of masked values', async ({ table, changes }) => {
  const { session, query, exec } = await temporaryDatabase(schema);
  const save = () =>
    Array.fromAsync(session.applyChanges!({ table, changes, rowTimeoutMs: 9_000, guarded }, call));
  await expect(save()).rejects.toMatchObject(refused);
  exec('ANALYZE');
  await expect(save()).rejects.toMatchObject(refused);
  expect(query('SELECT a FROM log')).toEqual([]);
});

test('an import whose trigger reads in the order of masked values is refused', async () => {
  const { session } = await temporaryDatabase(schema);
  const changes = [{ kind: 'insert' as const, id: 'a', values: { a: 1 } }];
  const request = { table: 'copied', changes, rowTimeoutMs: 9_000, guarded };
  await expect(Array.fromAsync(session.importRows!(request, call))).rejects.toMatchObject(refused);
});

test.each(['PRAGMA integrity_check', 'PRAGMA quick_check', "SELECT * FROM pragma_integrity_check('found')"])(
  'after a guess was written beside a full-text index, %s does not tell whether it is right',
  async (text) => {
    const { session } = await temporaryDatabase(schema);
    await run(session, "UPDATE users SET email = 'z@z.example' WHERE id = 1");
    await expect(run(session, text)).rejects.toMatchObject(refused);
  },
);

test.each([
  "UPDATE users SET town = 'x' WHERE id = 1",
  "INSERT INTO users (name, email) VALUES ('x', 'y')",
  'SELECT upper(name) FROM phones ORDER BY random() LIMIT 1 OFFSET 1',
  "DELETE FROM phones WHERE lower(name) LIKE 'a%'",
  "UPDATE users SET town = json_extract('{}', '$.a') WHERE id = 1",
])('a statement that reveals no order still runs: %s', async (text) => {
  const { session } = await temporaryDatabase(schema);
  await run(session, text);
});

test('a save whose trigger finds its row by an open key still runs', async () => {
  const { session, query } = await temporaryDatabase(schema);
  const changes = [{ kind: 'update' as const, id: 'a', key: { id: 1 }, values: { town: 'x' } }];
  const request = { table: 'users', changes, rowTimeoutMs: 9_000, guarded };
  await Array.fromAsync(session.applyChanges!(request, call));
  expect(query('SELECT town, seen FROM users WHERE id = 1')).toEqual([['x', 1n]]);
});

function run(session: Awaited<ReturnType<typeof temporaryDatabase>>['session'], text: string) {
  return session.run({ text, ceiling: 'write', limit: 10, guarded, reach: 100 }, call);
}
