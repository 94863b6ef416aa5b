import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Cell, cellAt, driverErrorDetails, maskedColumn, type RunOutcome } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { call, connect, type TemporaryDatabase, temporaryDatabase } from './testing/temporary-database.ts';

/** Two files that differ only in the masked column. Its values have the same length, so that the files have too. */
const schema = (emails: string[]) => `
  CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT, email TEXT, age INTEGER CHECK (age < 200));
  INSERT INTO users VALUES (1, 'Ada', '${emails[0]}', 36), (2, 'Bob', '${emails[1]}', 40), (3, 'Cy', '${emails[2]}', 36);
  CREATE TABLE named (name TEXT, email TEXT COLLATE NOCASE, CHECK (email <> name), UNIQUE (name, email));
  INSERT INTO named SELECT name, email FROM users;
  CREATE TABLE keyed (id INTEGER PRIMARY KEY, email TEXT UNIQUE, low TEXT AS (substr(email, 1, 1)) STORED, n INTEGER);
  INSERT INTO keyed (id, email, n) SELECT id, email, age FROM users;
  CREATE TABLE children (id INTEGER PRIMARY KEY, of TEXT REFERENCES keyed (email) ON UPDATE CASCADE ON DELETE SET NULL);
  INSERT INTO children SELECT id, email FROM users WHERE id < 3;
  CREATE TABLE open (id INTEGER PRIMARY KEY, a TEXT, n INTEGER DEFAULT 0);
  INSERT INTO open (a) VALUES ('one'), ('two');
  CREATE TABLE log (id INTEGER PRIMARY KEY, a TEXT);
  CREATE TRIGGER users_aged AFTER UPDATE OF age ON users BEGIN
    INSERT INTO log (a) VALUES (new.name); UPDATE open SET n = n + 1; END;
  CREATE TRIGGER open_asked AFTER UPDATE OF a ON open WHEN EXISTS (SELECT 1 FROM users WHERE email LIKE new.a) BEGIN
    INSERT INTO log (a) VALUES ('yes'); END;
  CREATE VIEW contacts AS SELECT id, name, email AS contact FROM users;
  CREATE VIEW twice AS SELECT contact AS again, id FROM contacts;
  CREATE VIEW firsts AS SELECT substr(email, 1, 1) AS first, id FROM users;
  CREATE TRIGGER contacts_set INSTEAD OF UPDATE ON contacts BEGIN
    UPDATE users SET name = old.contact WHERE id = old.id; END;
  CREATE VIRTUAL TABLE words USING fts5(email, name, content = 'users', content_rowid = 'id');
  INSERT INTO words (words) VALUES ('rebuild');
  CREATE VIRTUAL TABLE terms USING fts5vocab('words', 'row');
  CREATE VIRTUAL TABLE boxes USING rtree(id, low, high, +email);
  INSERT INTO boxes SELECT id, unicode(email), unicode(email) + 1, email FROM users;
`;
const guarded = ['users.email', 'named.email', 'keyed.email', 'email'].flatMap(maskedColumn);

const reads = [
  'SELECT typeof(email), octet_length(email) FROM users NOT INDEXED',
  'SELECT id FROM users ORDER BY 1, email',
  'SELECT id, email FROM users ORDER BY email COLLATE BINARY',
  'SELECT email AS "id", id FROM users ORDER BY "id"',
  'SELECT (SELECT email FROM users LIMIT 1) IS NULL',
  'SELECT count(DISTINCT email) FROM users',
  "SELECT count(*) FILTER (WHERE email > 'm') FROM users",
  'SELECT name, rank() OVER (ORDER BY email) FROM users',
  'SELECT name, count(*) OVER w FROM users WINDOW w AS (PARTITION BY email)',
  "SELECT string_agg(name, ',' ORDER BY email) FROM users",
  "SELECT name FROM users GROUP BY name HAVING min(email) < 'm'",
  "SELECT name FROM users WHERE (email, 1) > ('m', 0)",
  "SELECT name FROM users WHERE email IN ('aa@x.example')",
  "SELECT name FROM users WHERE (SELECT u.email FROM users u WHERE u.id = users.id) > 'm'",
  'SELECT name FROM users u, json_each(json_array(u.email))',
  "SELECT name FROM users WHERE json_valid(json_object('a', email))",
  'SELECT a.name FROM users a JOIN users b USING (email)',
  'SELECT a.name FROM users a NATURAL JOIN contacts',
  'SELECT name FROM users a LEFT JOIN open o ON a.email = o.a WHERE o.a IS NULL',
  "WITH e(x) AS (SELECT email FROM users) SELECT count(*) FROM e WHERE x > 'm'",
  'WITH RECURSIVE e(x, n) AS (SELECT email, 0 FROM users UNION SELECT substr(x, 2), n + 1 FROM e WHERE n < 3) SELECT * FROM e',
  "SELECT * FROM (SELECT email AS q FROM users) WHERE q > 'm'",
  'SELECT email FROM users EXCEPT SELECT a FROM open',
  'SELECT email FROM users UNION SELECT a FROM open',
  'VALUES ((SELECT email FROM users))',
  'SELECT first FROM firsts',
  "SELECT id FROM twice WHERE again > 'm'",
  'SELECT * FROM twice ORDER BY again',
  'SELECT low FROM keyed',
  "SELECT id FROM keyed WHERE low = 'a'",
  "SELECT id FROM children WHERE of = 'aa@x.example'",
  "SELECT rowid FROM words WHERE words MATCH 'aa'",
  "SELECT rowid FROM words('email : aa')",
  'SELECT term FROM terms',
  'SELECT hex(block) FROM words_data',
  'SELECT * FROM words_idx',
  'SELECT * FROM words_docsize',
  "SELECT bm25(words), rank FROM words('x')",
  'SELECT id FROM boxes WHERE low > 100',
  'SELECT hex(data) FROM boxes_node',
  'SELECT a0 FROM boxes_rowid',
  "SELECT rtreecheck('boxes')",
  'SELECT rtreenode(2, data) FROM boxes_node',
  'SELECT * FROM dbstat',
  "SELECT payload FROM dbstat WHERE name = 'users'",
  'SELECT hex(data) FROM sqlite_dbpage',
  "SELECT * FROM bytecode('SELECT email FROM users')",
  "SELECT * FROM tables_used('SELECT email FROM users')",
  'SELECT sql FROM sqlite_stmt',
  'SELECT * FROM pragma_integrity_check',
  "SELECT * FROM pragma_foreign_key_check('children')",
  'SELECT * FROM pragma_quick_check',
  'PRAGMA foreign_key_check(children)',
  'PRAGMA table_info(users)',
  'PRAGMA page_count',
  'PRAGMA freelist_count',
  'PRAGMA data_version',
  'PRAGMA stats',
  "EXPLAIN SELECT name FROM users WHERE email > 'm'",
  'EXPLAIN QUERY PLAN SELECT name FROM users WHERE id = 1',
  "ATTACH ':memory:' AS m",
  "SELECT abs(iif(email > 'm', -9223372036854775808, 1)) FROM users",
  "SELECT json_extract('{}', email) FROM users",
  "SELECT name FROM users WHERE email REGEXP '^a'",
  "SELECT likelihood(email > 'm', 0.5) FROM users",
  "SELECT printf('%s', email), zeroblob(length(email)) FROM users",
  'SELECT name FROM users LIMIT (SELECT length(email) FROM users)',
  "SELECT name FROM users LIMIT 1 OFFSET (SELECT email > 'm' FROM users)",
  'SELECT email FROM users LIMIT 2',
  'SELECT changes(), total_changes(), last_insert_rowid()',
  "SELECT load_extension('x')",
  'SELECT fts5_source_id(), sqlite_offset(email) FROM users',
  'SELECT name FROM users INDEXED BY sqlite_autoindex_keyed_1',
  'SELECT n FROM keyed INDEXED BY sqlite_autoindex_keyed_1',
  'SELECT n FROM keyed',
  'SELECT name FROM named',
  'SELECT n FROM keyed LIMIT 1',
  'SELECT max(n), id FROM keyed',
  'SELECT name FROM named NOT INDEXED LIMIT 1',
  "SELECT CASE email WHEN 'aa@x.example' THEN 1 END FROM users",
  'SELECT users.email IS NOT DISTINCT FROM open.a FROM users, open',
  'SELECT * FROM users ORDER BY (SELECT 1 FROM open WHERE a > email)',
];

const writes = [
  "UPDATE users SET age = 1 WHERE email > 'm'",
  "UPDATE users SET age = iif(email > 'm', 1, 2)",
  'UPDATE users SET name = email',
  'UPDATE users SET age = age + 1 WHERE id = 1 RETURNING email',
  'UPDATE users SET age = age + 1 WHERE id = 1 RETURNING hex(email)',
  'UPDATE users SET age = age + 1 WHERE id = 1 RETURNING *',
  "UPDATE users SET email = 'aa@x.example' WHERE id = 1 RETURNING email = 'aa@x.example'",
  'UPDATE users SET age = 300 WHERE id = 1',
  'UPDATE users SET age = age FROM open WHERE open.a < users.email',
  "UPDATE contacts SET name = 'x' WHERE id = 1",
  "UPDATE open SET a = 'a%' WHERE id = 1",
  "UPDATE named SET name = 'aa@x.example' WHERE name = 'Ada'",
  "INSERT INTO named VALUES ('Ada', 'aa@x.example')",
  "INSERT INTO keyed (email) VALUES ('aa@x.example')",
  "INSERT INTO keyed (email) VALUES ('aa@x.example') ON CONFLICT DO NOTHING",
  "INSERT INTO keyed (email, n) VALUES ('aa@x.example', 1) ON CONFLICT (email) DO UPDATE SET n = 99",
  "INSERT OR REPLACE INTO keyed (email) VALUES ('aa@x.example')",
  "REPLACE INTO keyed (id, email) VALUES (9, 'aa@x.example')",
  "INSERT INTO children (of) VALUES ('aa@x.example')",
  "UPDATE children SET of = 'aa@x.example' WHERE id = 1",
  "UPDATE keyed SET email = 'new@x.example' WHERE id = 1",
  'DELETE FROM keyed WHERE id = 1',
  "DELETE FROM users WHERE email > 'm'",
  'DELETE FROM users WHERE id = 1 RETURNING substr(email, 1, 1)',
  'DELETE FROM users WHERE id IN (SELECT id FROM users ORDER BY email LIMIT 1)',
  'DELETE FROM named WHERE rowid = 1 RETURNING name',
  'INSERT INTO open (a) SELECT email FROM users',
  'INSERT INTO open (a) SELECT name FROM users ORDER BY email',
  'INSERT INTO open (a) SELECT first FROM firsts',
  'INSERT INTO open (a) VALUES ((SELECT min(email) FROM users))',
  "INSERT INTO words (words) VALUES ('integrity-check')",
  "INSERT INTO words (words, rank) VALUES ('integrity-check', 1)",
  "INSERT INTO words (words) VALUES ('optimize')",
  "INSERT INTO words (words, rank) VALUES ('merge', 500)",
  "INSERT INTO words (words, rowid, email) VALUES ('delete', 1, 'aa@x.example')",
  'CREATE TABLE copied AS SELECT email AS e FROM users',
  "CREATE INDEX telling ON users (name) WHERE email > 'm'",
  'CREATE UNIQUE INDEX telling ON users (substr(email, 1, 1))',
  'CREATE TABLE t2 (id INTEGER PRIMARY KEY, f TEXT REFERENCES keyed (email))',
  'CREATE TEMP TABLE t2 AS SELECT email FROM users',
  'CREATE VIEW v2 AS SELECT hex(email) FROM users',
  'CREATE TRIGGER t3 AFTER INSERT ON open BEGIN UPDATE open SET a = (SELECT email FROM users); END',
  'ALTER TABLE users ADD COLUMN first TEXT AS (substr(email, 1, 1))',
  'ALTER TABLE users RENAME COLUMN email TO e',
  'ALTER TABLE users DROP COLUMN email',
  "ALTER TABLE users ADD COLUMN c TEXT CHECK (email > 'm')",
  'ALTER TABLE users RENAME TO people',
  'ALTER TABLE open ADD COLUMN f TEXT REFERENCES keyed (email)',
  'ANALYZE users',
  'ANALYZE',
  'PRAGMA optimize',
  'PRAGMA analysis_limit = 10',
  'PRAGMA writable_schema = 1',
  'PRAGMA ignore_check_constraints = 1',
  'PRAGMA recursive_triggers = 1',
  'PRAGMA automatic_index = 0',
  'REINDEX users',
  'REINDEX NOCASE',
  'VACUUM',
  "VACUUM INTO '/tmp/never.db'",
  'DROP TABLE users',
  "EXPLAIN UPDATE users SET age = 1 WHERE email > 'm'",
  'SAVEPOINT s',
];

test('no statement shows a client which of two files with different masked values it reads', async () => {
  const twins = await Promise.all([
    temporaryDatabase(schema(['aa@x.example', 'mm@x.example', 'zz@x.example']), 'one.db'),
    temporaryDatabase(schema(['zz@x.example', 'bb@x.example', 'ab@x.example']), 'two.db'),
  ]);
  const seen: string[] = [];
  for (const [index, text] of [...reads, ...writes].entries()) {
    const answers = [];
    for (const twin of twins) answers.push(await attempt(twin, text, index));
    if (JSON.stringify(answers[0]) !== JSON.stringify(answers[1]))
      seen.push(`${text}: ${JSON.stringify(answers)}`);
    const isPlain = !('code' in answers[0]!.outcome);
    if (process.env.TRESTLE_SHOW_ATTEMPTS) console.log(isPlain ? 'ran' : answers[0]!.outcome.code, '|', text);
  }
  expect(seen).toEqual([]);
});

/** What a client sees of the statement, and then of the columns that are not masked. */
async function attempt({ file, folder }: TemporaryDatabase, text: string, index: number) {
  const copy = join(folder, `copy${index}.db`);
  copyFileSync(file, copy);
  const session = await connect(copy);
  try {
    const run = (one: string, limit = 50) =>
      session
        .run(
          {
            text: one,
            ceiling: 'destroy',
            limit,
            guarded,
            reach: 1_000_000,
            budget: { changed: 1e9, inserted: 1e9 },
          },
          call,
        )
        .then(shown, (error: unknown) => {
          const { code, message, hint } = driverErrorDetails(error);
          return { code, message, hint };
        });
    const outcome = await run(text);
    const after = [];
    for (const table of ['users', 'open', 'log', 'named'])
      after.push(
        await run(`SELECT * FROM ${table} NOT INDEXED ORDER BY rowid`),
        await run(`SELECT count(*) FROM ${table}`),
      );
    after.push(await run('SELECT id, n FROM keyed NOT INDEXED'), await run('SELECT a, n FROM open'));
    const measured = await session.measure({ text, guarded }, call).then(
      (loss) => ({ ...loss, schema: '' }),
      (error: unknown) => driverErrorDetails(error).message,
    );
    return { outcome, after, measured };
  } finally {
    await session.close();
  }
}

function shown({ results, messages, effect, written }: RunOutcome): { code?: string; rows?: unknown } {
  const rows = results.map((result) => {
    if (result.kind !== 'rows') return result;
    const { columns, rowCount } = result.rows;
    return Array.from({ length: rowCount }, (_, row) =>
      columns.map((head, column): Cell => (head.masked ? '•••' : String(cellAt(result.rows, column, row)))),
    );
  });
  return { rows: [rows, messages, effect, written] };
}
