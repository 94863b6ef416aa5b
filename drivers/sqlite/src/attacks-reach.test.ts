import { readdirSync, readFileSync } from 'node:fs';
import { driverErrorDetails } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { call, temporaryDatabase } from './testing/temporary-database.ts';

const schema = `
  CREATE TABLE planets (id INTEGER PRIMARY KEY, name TEXT UNIQUE, mass REAL);
  INSERT INTO planets VALUES (1, 'Mercury', 0.055), (2, 'Earth', 1), (3, 'Mars', 0.107);
  CREATE TABLE many (id INTEGER PRIMARY KEY, n INTEGER UNIQUE, word TEXT);
  WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 500)
    INSERT INTO many SELECT i, i, 'word' || i FROM c;
  CREATE TABLE child (id INTEGER PRIMARY KEY, many INTEGER REFERENCES many (id) ON DELETE CASCADE ON UPDATE CASCADE);
  INSERT INTO child SELECT id, id FROM many;
  CREATE TABLE chain (id INTEGER PRIMARY KEY, up INTEGER REFERENCES chain (id) ON DELETE CASCADE);
  INSERT INTO chain SELECT id, nullif(id - 1, 0) FROM many;
  CREATE VIEW all_many AS SELECT * FROM many;
  CREATE TRIGGER all_many_delete INSTEAD OF DELETE ON all_many BEGIN DELETE FROM many; END;
  CREATE TABLE log (what TEXT);
  CREATE TRIGGER planets_told AFTER UPDATE ON planets BEGIN UPDATE many SET word = 'gone'; END;
  CREATE VIRTUAL TABLE words USING fts5(body);
  INSERT INTO words SELECT word FROM many;
`;

/** None of these statements may change the file when a client may only read. */
const underRead = [
  'SELECT 1 -- \u2028; DROP TABLE planets',
  'SELECT 1 --\r DROP TABLE planets',
  'SELECT 1 /*/ */ /* */; DROP TABLE planets',
  "SELECT '\\'; DROP TABLE planets; --'",
  'SELECT `a`; DROP TABLE planets',
  'SELECT [a]]; DROP TABLE planets; --]',
  'SELECT """;DROP TABLE planets;--"',
  'ＤＲＯＰ ＴＡＢＬＥ planets',
  'DR\u200bOP TABLE planets',
  'DRОP TABLE planets',
  '\u00a0DROP TABLE planets',
  '\u001aDROP TABLE planets',
  'SELECT 1\u0000DROP TABLE planets',
  'EXPLAIN QUERY PLAN\nEXPLAIN DROP TABLE planets',
  'explain analyze DELETE FROM planets',
  'WITH x AS MATERIALIZED (SELECT 1) DELETE FROM planets',
  'WITH RECURSIVE x(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM x LIMIT 3) UPDATE planets SET mass = (SELECT max(i) FROM x)',
  'WITH "select" AS (SELECT 1) INSERT INTO log SELECT * FROM "select"',
  'SELECT * FROM (DELETE FROM planets RETURNING *)',
  'SELECT (UPDATE planets SET mass = 1)',
  'VALUES (1) RETURNING 1',
  'INSERT INTO log DEFAULT VALUES',
  'INSERT OR ROLLBACK INTO planets VALUES (1, 1, 1)',
  'UPDATE OR REPLACE planets SET id = 1',
  'DELETE FROM planets INDEXED BY sqlite_autoindex_planets_1',
  'DELETE FROM main.planets NOT INDEXED',
  'ALTER TABLE planets RENAME COLUMN mass TO weight',
  'CREATE TABLE IF NOT EXISTS t AS SELECT 1',
  "SELECT * FROM pragma_user_version('7')",
  'SELECT * FROM pragma_journal_mode',
  'SELECT * FROM pragma_wal_checkpoint',
  "SELECT * FROM pragma_quick_check('planets')",
  'PRAGMA main.journal_mode',
  "PRAGMA journal_mode('off')",
  'PRAGMA schema_version = 1',
  'PRAGMA shrink_memory',
  'PRAGMA data_version',
  'PRAGMA mmap_size = 0',
  'PRAGMA locking_mode = EXCLUSIVE',
  'PRAGMA query_only = OFF; DROP TABLE planets',
  "SELECT writefile('x', 'y')",
  "SELECT readfile('/etc/passwd')",
  "SELECT * FROM fsdir('/')",
  "SELECT edit('x')",
  'SELECT * FROM sqlite_dbpage',
  'INSERT INTO sqlite_dbpage VALUES (1, NULL)',
  'SELECT * FROM dbstat',
  "CREATE VIRTUAL TABLE t USING csv(filename = '/etc/passwd')",
  "CREATE VIRTUAL TABLE t USING zipfile('/etc/passwd')",
  "SELECT * FROM zipfile('x')",
  "SELECT fts5(1), snippet(words, 0, '', '', '', 1) FROM words WHERE words MATCH 'delete-all'",
  "INSERT INTO words(words) VALUES ('integrity-check')",
  "INSERT INTO words(words, rank) VALUES ('secure-delete', 1)",
  "INSERT INTO words(words, rank) VALUES ('pgsz', 32)",
  `SELECT ${'('.repeat(3000)}1${')'.repeat(3000)}`,
  `SELECT 1 ${'UNION ALL SELECT 1 '.repeat(2000)}`,
  `SELECT ${Array.from({ length: 3000 }, (_, i) => i).join(', ')}`,
  `SELECT '${'x'.repeat(1_100_000)}'`,
  "SELECT printf('%.*c', 2147483647, 'x')",
  'SELECT zeroblob(9223372036854775807)',
  "SELECT replace(hex(zeroblob(1000000)), '0', hex(zeroblob(100000)))",
  'SELECT abs(-9223372036854775808)',
  "SELECT json_extract('{}', '$[')",
  'SELECT likelihood(1, 2), unlikely(1)',
  'SELECT sqlite_compileoption_get(1), sqlite_source_id()',
  'SELECT load_extension(char(47, 116, 109, 112))',
  'REINDEX planets',
  'ANALYZE planets',
  'DROP TABLE IF EXISTS planets',
  'DETACH DATABASE temp',
  "ATTACH char(47) || 'tmp/x.db' AS x",
  'RELEASE SAVEPOINT s',
  'END TRANSACTION',
  'CREATE TEMPORARY VIEW planets AS SELECT 1',
];

test('under the ceiling read, the statements of the list do not change the file or create another file, and the driver survives', async () => {
  const { session, folder, file } = await temporaryDatabase(schema);
  const state = () => ({ files: readdirSync(folder), bytes: readFileSync(file).toString('base64') });
  const before = state();
  for (const text of underRead) {
    await session.run({ text, ceiling: 'read', limit: 10 }, call).catch((error: unknown) => {
      expect(driverErrorDetails(error).code, text).not.toBe('internal');
    });
    expect(state(), text.slice(0, 100)).toEqual(before);
  }
  expect((await session.run({ text: 'SELECT 1', ceiling: 'read', limit: 1 }, call)).effect).toBe('read');
});

/** Each statement would change or delete more than a hundred rows, and some seem to reach fewer. */
const overReach = [
  'DELETE FROM many WHERE id = id + 0',
  'DELETE FROM many WHERE id IN (SELECT id FROM many)',
  'DELETE FROM many WHERE id NOT IN (SELECT 0)',
  'DELETE FROM many WHERE id IS NOT NULL',
  "DELETE FROM many WHERE word GLOB '*'",
  'DELETE FROM many WHERE id BETWEEN -1 AND 1e9',
  'DELETE FROM many WHERE (id, n) = (n, id)',
  'DELETE FROM many WHERE id % 2 = 0',
  'DELETE FROM many WHERE id > 0 RETURNING 1',
  'WITH d AS (SELECT id FROM many) DELETE FROM many WHERE id IN d',
  'DELETE FROM many WHERE id < (SELECT max(id) FROM many)',
  'DELETE FROM many WHERE EXISTS (SELECT 1 FROM child WHERE child.many = many.id)',
  'UPDATE many SET n = -n WHERE id = id',
  'UPDATE many SET word = word WHERE n = n',
  'UPDATE OR REPLACE many SET n = 1 WHERE id > 1',
  'UPDATE OR IGNORE many SET word = 1 WHERE id > 1',
  'UPDATE many SET id = -id WHERE id > 0',
  'UPDATE many SET word = child.id FROM child WHERE child.many = many.id',
  'REPLACE INTO many SELECT id, n, 1 FROM many',
  'INSERT OR REPLACE INTO many SELECT NULL, n, 1 FROM many',
  'INSERT INTO many SELECT * FROM many WHERE true ON CONFLICT (id) DO UPDATE SET word = 1',
  'INSERT INTO many SELECT NULL, n, 1 FROM many WHERE true ON CONFLICT (n) DO UPDATE SET word = excluded.word',
  'DELETE FROM chain WHERE id = 1',
  'DELETE FROM all_many WHERE id = 1',
  'UPDATE planets SET mass = 2 WHERE id = 1',
  'DELETE FROM words WHERE rowid > 0',
  "UPDATE words SET body = 'x' WHERE rowid = rowid",
  'DELETE FROM many WHERE id IN (SELECT value FROM json_each((SELECT json_group_array(id) FROM many)))',
  'DELETE FROM many WHERE rowid = _rowid_',
  'DELETE FROM many WHERE oid >= 1',
];

test.each(overReach)('%s is refused under a reach limit of 100', async (text) => {
  const { session, query } = await temporaryDatabase(schema);
  const held = () =>
    ['many', 'child', 'chain', 'planets', 'words'].map((table) =>
      String(query(`SELECT * FROM ${table} ORDER BY rowid`)),
    );
  const before = held();
  await expect(session.run({ text, ceiling: 'write', limit: 10, reach: 100 }, call)).rejects.toMatchObject({
    code: 'above_ceiling',
    needs: 'destroy',
  });
  expect(held()).toEqual(before);
  expect(query('PRAGMA integrity_check')).toEqual([['ok']]);
});
