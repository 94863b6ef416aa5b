import { readdirSync, readFileSync } from 'node:fs';
import { driverErrorDetails, type Effect } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { call, temporaryDatabase } from './testing/temporary-database.ts';

const schema = `
  CREATE TABLE planets (id INTEGER PRIMARY KEY, name TEXT, mass REAL);
  INSERT INTO planets VALUES (1, 'Mercury', 0.055), (2, 'Earth', 1), (3, 'Mars', 0.107);
  CREATE TABLE moons (id INTEGER PRIMARY KEY, planet INTEGER, name TEXT);
  INSERT INTO moons VALUES (1, 2, 'Moon'), (2, 3, 'Phobos');
  CREATE TABLE "odd "" ; DROP" ("a;b" TEXT, "where" TEXT);
  CREATE TABLE "žluť 🪐" (x);
  CREATE INDEX planets_name ON planets (name);
  CREATE VIEW heavy AS SELECT id, name, 1 AS weight FROM planets WHERE id > 1;
  CREATE TRIGGER heavy_delete INSTEAD OF DELETE ON heavy BEGIN DELETE FROM planets; END;
  CREATE TRIGGER heavy_insert INSTEAD OF INSERT ON heavy BEGIN DELETE FROM moons; END;
  CREATE VIRTUAL TABLE words USING fts5(body);
  CREATE VIRTUAL TABLE words4 USING fts4(body);
  CREATE VIRTUAL TABLE boxes USING rtree(id, x0, x1);
  CREATE VIRTUAL TABLE bare USING fts5(body, content = '');
  INSERT INTO bare(rowid, body) VALUES (1, 'hello');
  INSERT INTO words VALUES ('hello world');
  INSERT INTO words4 VALUES ('hello world');
  INSERT INTO boxes VALUES (1, 0, 1);
`;

type Verdict = Effect | 'refused' | 'invalid_argument' | 'query_failed';

const cases: [Verdict, string][] = [
  ['read', 'SELECT * FROM planets'],
  ['read', 'VALUES (1), (2)'],
  ['read', 'SELECT 1;'],
  ['read', 'SELECT 1 ; ; -- done\n /* really */ ;'],
  ['read', ';; /* x */ SELECT 1'],
  ['read', '\uFEFFSELECT 1'],
  ['read', "SELECT '; DROP TABLE planets'"],
  ['read', 'SELECT "a;b" FROM "odd "" ; DROP"'],
  ['read', 'SELECT 1 -- ; DROP TABLE planets'],
  ['read', 'SELECT 1 /* ; DROP TABLE planets */'],
  ['read', 'SELECT 1 /* unclosed ; DROP TABLE planets'],
  ['read', 'SELECT * FROM "žluť 🪐"'],
  ['read', 'WITH d AS (SELECT 1) SELECT * FROM d'],
  ['read', 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5) SELECT * FROM n'],
  ['read', 'EXPLAIN DELETE FROM planets'],
  ['read', 'EXPLAIN QUERY PLAN DROP TABLE planets'],
  ['read', 'PRAGMA table_info(planets)'],
  ['read', 'PRAGMA main.user_version'],
  ['read', "SELECT * FROM pragma_table_info('planets')"],
  ['read', 'PRAGMA integrity_check'],
  ['read', "SELECT * FROM words WHERE words MATCH 'hello'"],
  ['read', 'SELECT * FROM words4'],
  ['read', 'SELECT * FROM boxes WHERE x0 > -1'],
  ['read', "SELECT name FROM planets WHERE name REGEXP '^M'"],
  ['read', 'SELECT * FROM heavy'],

  ['write', "INSERT INTO planets (name) VALUES ('x')"],
  ['write', "INSERT INTO planets (name) VALUES ('x') RETURNING *"],
  ['write', 'INSERT INTO planets SELECT NULL, name, 1 FROM moons'],
  ['write', "WITH d AS (SELECT 'x' AS n) INSERT INTO planets (name) SELECT n FROM d"],
  ['write', "REPLACE INTO planets VALUES (1, 'x', 1)"],
  ['write', "INSERT INTO planets VALUES (1, 'x', 1) ON CONFLICT DO UPDATE SET name = 'y'"],
  ['write', "INSERT INTO heavy VALUES (9, 'x', 1)"],
  ['write', "UPDATE planets SET name = 'x' WHERE id = 1"],
  ['write', 'UPDATE planets SET name = \'x\' WHERE "id" = 1 RETURNING 1'],
  ['write', 'DELETE FROM planets WHERE id = 1'],
  ['write', 'DELETE FROM planets WHERE rowid = 1'],
  ['write', 'DELETE FROM planets AS p WHERE p.id = 1'],
  ['write', 'DELETE FROM planets WHERE EXISTS (SELECT 1 FROM moons WHERE planet = planets.id)'],
  ['write', 'WITH d AS (SELECT 1 AS i) DELETE FROM planets WHERE id IN (SELECT i FROM d)'],
  ['write', 'WITH replace AS (SELECT 1 AS i) DELETE FROM planets WHERE id IN (SELECT i FROM replace)'],
  ['write', 'UPDATE planets SET name = moons.name FROM moons WHERE moons.planet = planets.id'],
  ['write', 'DELETE FROM "odd "" ; DROP" WHERE "where" = 1'],
  ['write', "DELETE FROM words WHERE words MATCH 'hello'"],
  ['write', 'DELETE FROM heavy WHERE id = 1'],
  ['write', "INSERT INTO words(words) VALUES ('rebuild')"],
  ['write', "INSERT INTO words(words, rank) VALUES ('merge', 500)"],
  ['write', 'SELECT optimize(words4) FROM words4'],
  ['write', 'CREATE TABLE t (a)'],
  ['write', 'CREATE TABLE IF NOT EXISTS planets (a)'],
  ['write', 'CREATE TABLE t AS SELECT * FROM planets'],
  ['write', 'CREATE INDEX i ON planets (mass)'],
  ['write', 'CREATE VIEW v AS SELECT 1'],
  ['write', 'CREATE VIRTUAL TABLE t USING fts5(a)'],
  ['write', 'ALTER TABLE planets RENAME TO worlds'],
  ['write', 'ALTER TABLE planets ADD COLUMN "drop" TEXT'],
  ['write', 'REINDEX'],
  ['write', 'ANALYZE'],

  ['destroy', 'VACUUM'],
  ['destroy', "INSERT INTO bare(bare) VALUES ('delete-all')"],
  ['destroy', "INSERT INTO bare AS with (bare) VALUES ('delete-all')"],
  ['destroy', "WITH q AS (SELECT 1) INSERT INTO main.bare AS with (bare) VALUES ('delete-all')"],
  ['destroy', "WITH ınto(x) AS (SELECT 1) INSERT INTO bare(bare) VALUES ('delete-all')"],
  ['destroy', "INSERT INTO bare (bare, rank) VALUES ('delete-all', 1)"],
  ['destroy', "INSERT INTO main.bare(bare) SELECT 'delete-all'"],
  ['destroy', "INSERT INTO bare(bare) VALUES ('optimize'), ('delete-all')"],
  ['destroy', "INSERT INTO bare(bare) VALUES ('delete-' || 'all')"],
  ['destroy', "INSERT INTO \"BARE\"(body, [bare]) VALUES ('rebuild', 'delete-all')"],
  ['destroy', "INSERT INTO bare(bare, rowid, body) VALUES ('delete', 1, 'hello')"],
  ['destroy', 'DELETE FROM planets'],
  ['destroy', 'DELETE FROM planets -- WHERE id = 1'],
  ['destroy', 'DELETE FROM planets /* WHERE id = 1 */'],
  ['destroy', 'DELETE FROM planets WHERE 1'],
  ['destroy', 'DELETE FROM planets WHERE true'],
  ['destroy', "DELETE FROM planets WHERE 'id' = 'id'"],
  ['destroy', 'DELETE FROM planets WHERE EXISTS (SELECT id FROM planets)'],
  ['destroy', 'DELETE FROM planets WHERE (SELECT count(*) FROM moons WHERE id = 1) > 0'],
  ['destroy', 'DELETE FROM planets RETURNING id'],
  ['destroy', 'DELETE FROM planets WHERE 1 RETURNING (SELECT 1 WHERE id = 1)'],
  ['destroy', 'WITH d AS (SELECT 1 WHERE 1) DELETE FROM planets'],
  ['destroy', 'WITH "delete" AS (SELECT 1 AS i) DELETE FROM planets WHERE (SELECT i FROM "delete")'],
  ['destroy', 'DELETE FROM heavy'],
  ['destroy', 'DELETE FROM words'],
  ['destroy', "UPDATE planets SET name = 'x'"],
  ['destroy', 'UPDATE planets SET mass = mass + 1 WHERE 1'],
  ['destroy', 'UPDATE planets SET name = (SELECT name FROM moons WHERE planet = planets.id)'],
  ['destroy', "UPDATE planets SET name = 'x' FROM moons WHERE moons.id = 1"],
  ['destroy', 'UPDATE planets SET mass = name IS DISTINCT FROM mass'],
  ['destroy', 'DROP TABLE planets'],
  ['destroy', 'DROP TABLE IF EXISTS "odd "" ; DROP"'],
  ['destroy', 'DROP TABLE words'],
  ['destroy', 'DROP TABLE IF EXISTS gone'],
  ['destroy', 'DROP VIEW heavy'],
  ['destroy', 'DROP INDEX planets_name'],
  ['destroy', 'DROP TRIGGER heavy_delete'],
  ['destroy', 'ALTER TABLE planets DROP COLUMN mass'],
  ['destroy', 'ALTER TABLE planets DROP mass'],
  ['destroy', 'CREATE TRIGGER t AFTER INSERT ON moons BEGIN DELETE FROM planets; END'],

  ['refused', 'SELECT 1; DROP TABLE planets'],
  ['refused', 'SELECT 1;SELECT 2'],
  ['refused', 'SELECT 1; -- x\nDROP TABLE planets'],
  ['refused', 'SELECT 1; /* x */ garbage'],
  ['refused', 'CREATE TABLE t (a); INSERT INTO t VALUES (1)'],
  ['refused', "ATTACH 'other.db' AS other"],
  ['refused', "ATTACH DATABASE ':memory:' AS other"],
  ['refused', "EXPLAIN ATTACH 'other.db' AS other"],
  ['refused', 'DETACH main'],
  ['refused', "VACUUM INTO 'copy.db'"],
  ['refused', "VACUUM main INTO 'copy.db'"],
  ['refused', "VACUUM /* */ INTO ('copy' || '.db')"],
  ['refused', "SELECT load_extension('x')"],
  ['refused', "SELECT LOAD_EXTENSION('x', 'y') FROM planets WHERE 0"],
  ['refused', "SELECT fts3_tokenizer('simple')"],
  ['refused', "SELECT sqlite_log(1, 'x')"],
  ['refused', 'BEGIN'],
  ['refused', 'BEGIN EXCLUSIVE'],
  ['refused', 'COMMIT'],
  ['refused', 'END'],
  ['refused', 'ROLLBACK'],
  ['refused', 'SAVEPOINT s'],
  ['refused', 'RELEASE s'],
  ['refused', 'PRAGMA writable_schema = ON'],
  ['refused', 'PRAGMA journal_mode = DELETE'],
  ['refused', 'EXPLAIN PRAGMA journal_mode = WAL'],
  ['refused', 'PRAGMA user_version = 7'],
  ['refused', 'PRAGMA user_version(7)'],
  ['refused', 'PRAGMA main . user_version = 7'],
  ['refused', 'PRAGMA foreign_keys = OFF'],
  ['refused', 'PRAGMA trusted_schema = ON'],
  ['refused', 'PRAGMA wal_checkpoint'],
  ['refused', 'PRAGMA optimize'],
  ['refused', "PRAGMA temp_store_directory = '.'"],
  ['refused', 'PRAGMA incremental_vacuum'],
  ['refused', 'PRAGMA no_such_thing'],
  ['refused', 'CREATE TEMP TABLE t (a)'],
  ['refused', 'CREATE TABLE temp.t (a)'],
  ['refused', 'CREATE VIEW temp.t AS SELECT 1'],
  ['refused', 'CREATE VIRTUAL TABLE temp.t USING fts5(a)'],
  ['refused', 'CREATE TEMP TRIGGER t AFTER INSERT ON moons BEGIN DELETE FROM planets; END'],

  ['invalid_argument', ''],
  ['invalid_argument', ' \n\t'],
  ['invalid_argument', ';;;'],
  ['invalid_argument', '-- only a comment'],
  ['invalid_argument', '/* only a comment'],
  ['invalid_argument', 'SELECT 1\0; DROP TABLE planets'],
  ['invalid_argument', 'SELECT * FROM planets WHERE id = ?'],
  ['invalid_argument', 'DELETE FROM planets WHERE id = :id'],

  ['query_failed', 'SELEC 1'],
  ['query_failed', 'SELECT * FROM gone'],
  ['query_failed', 'DROP TABLE gone'],
  ['query_failed', "UPDATE sqlite_schema SET sql = 'x' WHERE 1"],
  ['query_failed', 'DELETE FROM words_data WHERE id = 1'],
  ['query_failed', 'DROP TABLE words_data'],
  ['query_failed', 'DROP TABLE sqlite_schema'],
  ['query_failed', 'DELETE FROM planets LIMIT 1'],
  ['query_failed', 'SELECT "no such text"'],
  ['query_failed', "SELECT 'unclosed"],
  ['query_failed', 'TRUNCATE TABLE planets'],
  ['query_failed', 'DELETE\vFROM planets'],
  ['query_failed', 'WITH gone AS (DELETE FROM planets RETURNING *) SELECT * FROM gone'],
];

test('each statement gets the expected effect or error, and does not run above the ceiling', async () => {
  const { session, folder, file } = await temporaryDatabase(schema);
  const before = { files: readdirSync(folder), bytes: readFileSync(file) };
  const verdicts: [Verdict, string][] = [];
  for (const [, text] of cases) {
    const verdict = await session.classify(text, call).then(
      (classification) => classification.effect,
      (error) => driverErrorDetails(error).code as Verdict,
    );
    verdicts.push([verdict, text]);
    const ran = session.run({ text, ceiling: 'read', limit: 10 }, call);
    if (verdict === 'read') await ran;
    else {
      const wanted =
        verdict === 'write' || verdict === 'destroy'
          ? { code: 'above_ceiling', needs: verdict }
          : { code: verdict };
      await expect(ran, text).rejects.toMatchObject(wanted);
      if (verdict !== 'write') {
        await expect(session.run({ text, ceiling: 'write', limit: 10 }, call), text).rejects.toMatchObject(
          wanted,
        );
      }
    }
  }
  expect(verdicts).toEqual(cases);
  expect({ files: readdirSync(folder), bytes: readFileSync(file) }).toEqual(before);
});

test.each(cases.filter(([verdict]) => verdict === 'write' || verdict === 'destroy'))(
  'under the ceiling %s, this statement runs: %s',
  async (effect, text) => {
    const { session, query } = await temporaryDatabase(schema);
    const outcome = await session.run({ text, ceiling: effect as Effect, limit: 10 }, call);
    expect(outcome.effect).toBe(effect);
    expect(query('PRAGMA integrity_check')).toEqual([['ok']]);
  },
);

test.each([
  ['DELETE FROM planets', 'Delete every row of planets'],
  ['DELETE FROM planets WHERE id = 1', 'Delete rows of planets'],
  ['UPDATE planets SET mass = 1', 'Update every row of planets'],
  ['WITH d AS (SELECT 1) UPDATE planets SET mass = 1 WHERE id = 1', 'Update rows of planets'],
  ['DROP TABLE planets', 'Drop table planets'],
  ['DROP TABLE words', 'Drop table words'],
  ['DROP TABLE IF EXISTS gone', 'DROP without effect'],
  ['DROP VIEW heavy', 'Drop view heavy'],
  ['DROP INDEX planets_name', 'Drop index planets_name'],
  ['DROP TRIGGER heavy_delete', 'Drop trigger heavy_delete'],
  ['ALTER TABLE planets DROP COLUMN mass', 'Alter table planets, dropping a part of it'],
  ['ALTER TABLE planets RENAME TO worlds', 'Alter table planets'],
  ['CREATE TRIGGER t AFTER INSERT ON moons BEGIN SELECT 1; END', 'Create trigger t'],
  ['CREATE TABLE t (a)', 'Create table t'],
  ["INSERT INTO moons (name) VALUES ('x')", 'Insert rows into moons'],
  ['SELECT p.name FROM planets p JOIN moons m ON m.planet = p.id', 'Read planets, moons'],
  ['SELECT 1', 'Compute values'],
])('%s is summed up as "%s"', async (text, summary) => {
  const { session } = await temporaryDatabase(schema);
  expect((await session.classify(text, call)).summary).toBe(summary);
});
