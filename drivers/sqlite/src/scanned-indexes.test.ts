import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type RandomSource, randomSource } from '@trestle/driver-kit/testing/random';
import { expect, test } from 'vitest';
import { type Handle, openHandle } from './handle.ts';
import { temporaryFolder } from './testing/temporary-database.ts';

/**
 * Without the statistics of ANALYZE, Trestle lets a statement run if its plan scans no index on a masked column. That
 * is safe only if the plan depends on nothing but the schema and the text. The test compiles random statements for files
 * with one schema and very different rows. The bytecode must be the same.
 */
const rounds = Number(process.env.TRESTLE_FUZZ_CASES ?? 600);
const seed = Number(process.env.TRESTLE_FUZZ_SEED ?? 20_261_119);

const schema = `
  CREATE TABLE a (id INTEGER PRIMARY KEY, x TEXT, y INTEGER, z BLOB, g AS (substr(x, 1, 2)) STORED);
  CREATE INDEX a_x ON a (x);
  CREATE INDEX a_yx ON a (y DESC, x COLLATE NOCASE);
  CREATE INDEX a_low ON a (lower(x)) WHERE y > 5;
  CREATE UNIQUE INDEX a_gid ON a (g, id);
  CREATE TABLE b (k TEXT PRIMARY KEY, x TEXT REFERENCES c (w) ON DELETE CASCADE, y REAL) WITHOUT ROWID;
  CREATE INDEX b_x ON b (x) WHERE x IS NOT NULL;
  CREATE TABLE c (w TEXT UNIQUE, y ANY, z) STRICT;
  CREATE INDEX c_all ON c (y, z, w);
  CREATE TABLE log (id INTEGER PRIMARY KEY, t TEXT);
  CREATE TRIGGER a_log AFTER UPDATE OF y ON a BEGIN
    INSERT INTO log (t) SELECT x FROM a WHERE y = new.y; DELETE FROM log WHERE t < new.x; END;
  CREATE TRIGGER c_log AFTER DELETE ON c WHEN (SELECT max(x) FROM a) > old.w BEGIN
    UPDATE a SET z = NULL WHERE x = old.w; END;
  CREATE VIEW v AS SELECT a.id, a.x, c.z FROM a JOIN c ON a.x = c.w;
  CREATE VIRTUAL TABLE words USING fts5(x, content = 'a', content_rowid = 'id');
  CREATE VIRTUAL TABLE boxes USING rtree(id, low, high, +x);
`.replace('y ANY, z) STRICT', 'y ANY, z ANY) STRICT');

const rowsOf = (count: number, x: string, y: string) => `
  WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
    INSERT INTO a (x, y) SELECT ${x}, ${y} FROM n;
  WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
    INSERT OR IGNORE INTO c SELECT ${x} || i, ${y}, i % 3 FROM n;
  INSERT OR IGNORE INTO b SELECT w || 'k', w, y FROM c;
  INSERT INTO log (t) SELECT x FROM a LIMIT 50;
  INSERT INTO words (words) VALUES ('rebuild');
  INSERT INTO boxes SELECT id, id, id + 1, x FROM a LIMIT 2000;
`;

const contents = [
  '',
  rowsOf(1, "'one'", '1'),
  rowsOf(300, "'same'", '7'),
  rowsOf(20_000, 'hex(randomblob(8))', 'random() % 100'),
  rowsOf(3_000, 'NULL', 'NULL'),
  rowsOf(40, "printf('%.*c', 60000, 'q')", 'i'),
  `${rowsOf(2_000, 'char(97 + i % 2)', 'i % 2')} DELETE FROM a; DELETE FROM c WHERE y = 1;`,
];

test(`${rounds} random statements have the same plan for files with one schema and different rows`, {
  timeout: 120_000 + rounds * 40,
}, () => {
  const folder = temporaryFolder();
  const files = contents.map((rows, index) => {
    const file = join(folder, `plan${index}.db`);
    const program = new DatabaseSync(file);
    program.exec(`PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF; ${schema}`);
    // The driver's handle is open before another program writes the rows: a plan must not change with them either.
    const early = openHandle(file, 'ro');
    program.exec(rows);
    program.close();
    return { early, late: openHandle(file, 'ro') };
  });
  try {
    const random = randomSource(seed);
    const counts = { compiled: 0, invalid: 0, indexed: 0 };
    for (let round = 0; round < rounds; round++) {
      const text = statement(random);
      const plans = files.flatMap(({ early, late }) => [bytecode(early, text), bytecode(late, text)]);
      expect(new Set(plans).size, text).toBe(1);
      if (plans[0]!.startsWith('invalid')) counts.invalid++;
      else counts.compiled++;
      if (/"Seek/.test(plans[0]!)) counts.indexed++;
    }
    expect(counts.compiled, JSON.stringify(counts)).toBeGreaterThan(rounds / 2);
    expect(counts.indexed, JSON.stringify(counts)).toBeGreaterThan(rounds / 5);
  } finally {
    for (const { early, late } of files) for (const { db } of [early, late]) db.close();
  }
});

test('with statistics, plans differ between such files, so the comparison can see a difference', () => {
  const folder = temporaryFolder();
  const plans = [contents[3]!, contents[2]!].map((rows, index) => {
    const file = join(folder, `analyzed${index}.db`);
    const program = new DatabaseSync(file);
    program.exec(`${schema} ${rows} ANALYZE`);
    program.close();
    const handle = openHandle(file, 'ro');
    const random = randomSource(seed);
    const all = Array.from({ length: 300 }, () => bytecode(handle, statement(random)));
    handle.db.close();
    return all;
  });
  expect(plans[0]).not.toEqual(plans[1]);
});

function bytecode({ db }: Handle, text: string): string {
  try {
    const steps = db.prepare(`EXPLAIN ${text}`).all();
    // SQLite shows a virtual table by its place in the memory.
    return JSON.stringify(steps, (_, one) => (typeof one === 'bigint' ? String(one) : one)).replaceAll(
      /vtab:\w+/g,
      'vtab',
    );
  } catch (error) {
    return `invalid: ${error}`;
  }
}

const tables = ['a', 'b', 'c', 'log', 'v', 'a NOT INDEXED', 'words', 'boxes'];

function statement(random: RandomSource): string {
  const [one, two] = [random.pick(tables), random.pick(tables)];
  const where = () => (random.below(5) === 0 ? '' : ` WHERE ${condition(random)}`);
  const tail = () =>
    random.pick(['', ` ORDER BY ${value(random)}`, ' ORDER BY x DESC, y', ' LIMIT 3', ' ORDER BY random()']);
  return random.pick([
    () => `SELECT * FROM ${one}${where()}${tail()}`,
    () => `SELECT ${value(random)} FROM ${one}${where()}${tail()}`,
    () => `SELECT count(*), min(x), max(y) FROM a${where()}`,
    () => `SELECT 1 FROM ${one} AS p JOIN ${two} AS q ON p.x = q.x${tail()}`,
    () =>
      `SELECT p.x FROM a p, c q LEFT JOIN b r ON r.x = q.w WHERE p.x = q.w AND p.y > ${random.below(9)}${tail()}`,
    () => `SELECT x, count(*) FROM a${where()} GROUP BY x${tail()}`,
    () => `SELECT DISTINCT x, y FROM a${where()}`,
    () => `SELECT x FROM a${where()} UNION SELECT x FROM b${where()} ORDER BY 1`,
    () => `SELECT x, rank() OVER (PARTITION BY y ORDER BY x) FROM a${where()}`,
    () => `WITH t AS (SELECT x, y FROM a${where()}) SELECT * FROM t, c WHERE t.x = c.w`,
    () => `SELECT * FROM a WHERE x IN (SELECT w FROM c${where()})`,
    () => `SELECT rowid FROM words WHERE words MATCH 'q*' AND rowid > ${random.below(9)}`,
    () => `SELECT id FROM boxes WHERE low > ${random.below(99)} AND high < 50`,
    () => `UPDATE a SET y = y + 1${where()}`,
    () => `UPDATE a SET x = c.w FROM c WHERE c.y = a.y AND ${condition(random)}`,
    () => `DELETE FROM ${random.pick(['a', 'b', 'c'])}${where()}`,
    () => `INSERT INTO log (t) SELECT x FROM a${where()}${tail()}`,
    () => `INSERT INTO c (w, y) VALUES ('n', 1) ON CONFLICT (w) DO UPDATE SET y = (SELECT max(y) FROM a)`,
    () => `DELETE FROM a${where()} RETURNING x`,
  ])();
}

function value(random: RandomSource): string {
  return random.pick([
    'x',
    'y',
    'id',
    'rowid',
    'w',
    'z',
    'g',
    'k',
    'lower(x)',
    'x COLLATE NOCASE',
    'x || y',
    '+x',
    '1',
  ]);
}

function condition(random: RandomSource): string {
  const n = random.below(20);
  const text = random.pick(["'same'", "'m'", "'7F00'", "'one'"]);
  return random.pick([
    () => `x = ${text}`,
    () => `x > ${text}`,
    () => `x LIKE 'sa%'`,
    () => `x GLOB 'sa*'`,
    () => `x BETWEEN 'a' AND ${text}`,
    () => `x IS NULL`,
    () => `y = ${n}`,
    () => `y > ${n} AND x < ${text}`,
    () => `y > 5 AND lower(x) = ${text}`,
    () => `x = ${text} OR y = ${n}`,
    () => `y IN (1, 2, ${n}) AND x > ${text}`,
    () => `likelihood(x = ${text}, 0.01)`,
    () => `unlikely(y = ${n}) AND x = ${text}`,
    () => `g = 'sa' AND id > ${n}`,
    () => `id = ${n}`,
    () => `rowid BETWEEN ${n} AND ${n + 5}`,
    () => `(x, y) > (${text}, ${n})`,
    () => `EXISTS (SELECT 1 FROM c WHERE c.w = x)`,
    () => `y = (SELECT max(y) FROM a WHERE x < ${text})`,
  ])();
}
