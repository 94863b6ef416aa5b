import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Effect, rowsLost, type Session } from '@trestle/driver-kit';
import fc from 'fast-check';
import { afterAll, expect } from 'vitest';
import { call, connect } from '../../drivers/sqlite/src/testing/temporary-database.ts';
import { significant, tokenize } from '../../drivers/sqlite/src/tokenizer.ts';
import { fuzz } from './fuzz.ts';
import { expectOwnError, piecewise } from './texts.ts';

const folder = mkdtempSync(join(tmpdir(), 'trestle-fuzz-'));
const original = join(folder, 'original.db');
const file = join(folder, 'fuzzed.db');
let session: Session | undefined;
afterAll(async () => {
  await session?.close();
  rmSync(folder, { recursive: true });
});

/** Cascades, triggers, conflicts, a view with a trigger, a full-text index, a table without rowid. */
const schema = `
  PRAGMA synchronous = OFF;
  CREATE TABLE planets (id INTEGER PRIMARY KEY, name TEXT UNIQUE, mass REAL);
  INSERT INTO planets VALUES (1, 'Mercury', 0.055), (2, 'Earth', 1), (3, 'Mars', 0.107), (4, 'Venus', 0.8), (5, 'Pluto', 0);
  CREATE TABLE moons (id INTEGER PRIMARY KEY, planet INTEGER REFERENCES planets (id) ON DELETE CASCADE ON UPDATE CASCADE, name TEXT);
  INSERT INTO moons VALUES (1, 2, 'Moon'), (2, 3, 'Phobos'), (3, 3, 'Deimos'), (4, 5, 'Charon'), (5, NULL, 'Nobody');
  CREATE TABLE pairs (a TEXT, b TEXT, n INTEGER, PRIMARY KEY (a, b)) WITHOUT ROWID;
  INSERT INTO pairs VALUES ('x', 'y', 1), ('x', 'z', 2), ('y', 'z', 3), ('z', 'z', 4);
  CREATE TABLE log (what TEXT);
  INSERT INTO log VALUES ('one'), ('two'), ('three'), ('four');
  CREATE TABLE keep (id INTEGER PRIMARY KEY, n INTEGER UNIQUE ON CONFLICT REPLACE);
  INSERT INTO keep VALUES (1, 1), (2, 2), (3, 3), (4, 4);
  CREATE VIEW all_planets AS SELECT * FROM planets;
  CREATE TRIGGER view_delete INSTEAD OF DELETE ON all_planets BEGIN DELETE FROM planets WHERE id = old.id; END;
  CREATE TRIGGER log_told AFTER INSERT ON log WHEN new.what = 'empty' BEGIN DELETE FROM pairs; END;
  CREATE VIRTUAL TABLE words USING fts5(body);
  INSERT INTO words VALUES ('one'), ('two'), ('three'), ('four');
`;
/** The columns that are compared. A column that a statement adds does not count as a change of the rows. */
const columns: Record<string, string> = {
  planets: 'id, name, mass',
  moons: 'id, planet, name',
  pairs: 'a, b, n',
  log: 'what',
  keep: 'id, n',
  words: 'body',
};
const tables = Object.keys(columns);

{
  const db = new DatabaseSync(original);
  db.exec(schema);
  db.close();
}

type State = Map<string, string[]>;

/** The rows of the tables above, the schema and the user version, read without the driver. */
function stateOf(db: DatabaseSync): State {
  const state: State = new Map();
  const all = (text: string) =>
    db
      .prepare(text)
      .all()
      .map((row) => JSON.stringify(row));
  state.set('sqlite_schema', all('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name'));
  state.set('user_version', all('PRAGMA user_version'));
  for (const table of tables) {
    // The statements here may rename a table to `other`. It keeps its rows.
    const found = [table, 'other'].map((name) => attempt(() => all(`SELECT ${columns[table]} FROM ${name}`)));
    state.set(table, found.find((rows) => rows !== undefined)?.sort() ?? []);
  }
  return state;
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

function read(path: string): State {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    return stateOf(db);
  } finally {
    db.close();
  }
}

const before = read(original);

/** By table: the number of rows that were changed or deleted. */
function lostRows(after: State): Map<string, number> {
  return new Map(
    tables.map((table) => {
      const left = [...(after.get(table) ?? [])];
      const lost = (before.get(table) ?? []).filter((row) => {
        const at = left.indexOf(row);
        if (at >= 0) left.splice(at, 1);
        return at < 0;
      });
      return [table, lost.length];
    }),
  );
}

const isSame = (after: State) => JSON.stringify([...after]) === JSON.stringify([...before]);

/**
 * The state after the statement ran on a copy in memory, without the driver. Undefined if the engine refuses
 * the statement.
 */
function engineEffect(text: string): State | undefined {
  const db = new DatabaseSync(':memory:');
  try {
    db.exec(schema);
    db.exec(text);
    return stateOf(db);
  } catch {
    return undefined;
  } finally {
    db.close();
  }
}

async function fresh(): Promise<Session> {
  await session?.close();
  rmSync(`${file}-journal`, { force: true });
  copyFileSync(original, file);
  session = await connect(file);
  return session;
}

async function ask<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    expectOwnError(error, 'DriverError');
    return undefined;
  }
}

const table = fc.constantFrom(...tables, 'main.planets', '"planets"', 'all_planets', '[moons]', '`log`');
const column = fc.constantFrom(
  'id',
  'name',
  'mass',
  'planet',
  'n',
  'a',
  'what',
  'rowid',
  '*',
  '1',
  "'x'",
  'body',
);
const condition = fc.oneof(
  fc.constantFrom(
    '1',
    'id = 1',
    'id > 2',
    'id = id',
    "name LIKE '%'",
    'EXISTS (SELECT 1 FROM moons)',
    'n IN (1, 2)',
  ),
  fc.constantFrom('rowid', "what = 'one'", "a = 'x'", 'id IN (SELECT planet FROM moons)', 'NOT 0', 'true'),
);
const select = fc
  .tuple(column, table, fc.option(condition))
  .map(([what, from, where]) => `SELECT ${what} FROM ${from}${where === null ? '' : ` WHERE ${where}`}`);
const setting = fc.constantFrom(
  'id = id + 10',
  "name = 'x'",
  'mass = 0',
  'n = 1',
  "what = 'x'",
  'planet = 1',
  "b = 'q'",
);
const conflict = fc.constantFrom('', '', 'OR REPLACE', 'OR IGNORE', 'OR ROLLBACK', 'OR ABORT');
const returning = fc.constantFrom('', '', ' RETURNING *', ' RETURNING 1');
const values = fc.constantFrom(
  'VALUES (1, 2, 3)',
  "VALUES ('empty')",
  'VALUES (1, 1)',
  'DEFAULT VALUES',
  'SELECT * FROM moons',
  'SELECT * FROM keep',
  'SELECT id, name, mass FROM planets',
  'SELECT what FROM log',
  "VALUES (7, 'Mars', 1)",
  "VALUES (9, 'New', 1), (1, 'Old', 2)",
  "VALUES (1, 'q', 1) ON CONFLICT DO UPDATE SET mass = 9",
  'SELECT id, name, mass FROM planets WHERE 1 ON CONFLICT (id) DO UPDATE SET mass = 9',
);
const change = fc.oneof(
  fc
    .tuple(table, fc.option(condition), returning)
    .map(([from, where, end]) => `DELETE FROM ${from}${where === null ? '' : ` WHERE ${where}`}${end}`),
  fc
    .tuple(conflict, table, setting, fc.option(condition), returning)
    .map(
      ([or, of, set, where, end]) =>
        `UPDATE ${or} ${of} SET ${set}${where === null ? '' : ` WHERE ${where}`}${end}`,
    ),
  fc
    .tuple(
      fc.constantFrom('INSERT', 'REPLACE', 'INSERT OR REPLACE', 'INSERT OR IGNORE'),
      table,
      values,
      returning,
    )
    .map(([verb, into, given, end]) => `${verb} INTO ${into} ${given}${end}`),
  table.map((of) => `INSERT INTO words(words, rank) VALUES ('delete-all', '${of}')`),
  fc.constantFrom(
    "INSERT INTO words(words) VALUES ('delete-all')",
    "INSERT INTO words(words) VALUES ('rebuild')",
  ),
);
const definition = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('TABLE', 'VIEW', 'TRIGGER', 'INDEX', 'TABLE IF EXISTS'),
      fc.constantFrom(...tables, 'all_planets', 'log_told', 'view_delete'),
    )
    .map(([kind, name]) => `DROP ${kind} ${name}`),
  table.map((of) => `ALTER TABLE ${of} RENAME TO other`),
  table.map((of) => `ALTER TABLE ${of} DROP COLUMN name`),
  table.map((of) => `ALTER TABLE ${of} ADD COLUMN extra`),
  select.map((from) => `CREATE TABLE IF NOT EXISTS copy AS ${from}`),
  table.map((of) => `CREATE TRIGGER t AFTER INSERT ON ${of} BEGIN DELETE FROM log; END`),
  fc.constantFrom('VACUUM', 'REINDEX', 'ANALYZE', 'PRAGMA user_version = 7', 'PRAGMA user_version(7)'),
  fc.constantFrom(
    "SELECT * FROM pragma_user_version('7')",
    `VACUUM INTO '${join(folder, 'x.db')}'`,
    'PRAGMA writable_schema = 1',
  ),
);
const withs = fc.constantFrom(
  'WITH x AS (SELECT 1) ',
  'WITH RECURSIVE x(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM x LIMIT 3) ',
  'WITH "delete" AS NOT MATERIALIZED (VALUES (1)), b AS (SELECT 2) ',
  'WITH x(a, b) AS MATERIALIZED (SELECT 1, 2) ',
);
const noise = fc.constantFrom(
  '',
  '',
  '',
  ' ',
  '\n',
  '-- a\n',
  '/* ; */',
  ';',
  '/**/',
  '\ufeff',
  'EXPLAIN ',
  'EXPLAIN QUERY PLAN ',
);
const ending = fc.constantFrom(
  '',
  '',
  '',
  ';',
  '; ',
  '-- x',
  ' /* y',
  ';;',
  '\n;',
  '; SELECT 1',
  '; DROP TABLE log',
  '\0',
);
const statement = fc
  .tuple(
    noise,
    fc.oneof({ weight: 4, arbitrary: fc.constant('') }, { weight: 1, arbitrary: withs }),
    fc.oneof(
      { weight: 2, arbitrary: select },
      { weight: 5, arbitrary: change },
      { weight: 2, arbitrary: definition },
    ),
    ending,
  )
  .map((parts) => parts.join(''));

fuzz({
  name: 'sql-effect',
  holds:
    'a statement that changes rows, the schema or the user version is not classified as a read, and a DELETE or DROP without WHERE that empties a table is classified as destroy',
  short: 500,
  weight: 20,
  inputs: statement,
  async property(text) {
    session ??= await fresh();
    const judged = await ask(session.classify(text, call));
    const after = engineEffect(text);
    if (judged === undefined || after === undefined) return;
    if (!isSame(after)) expect(judged.effect).not.toBe('read' satisfies Effect);
    const lost = lostRows(after);
    const gone = tables.filter(
      (name) => (before.get(name)?.length ?? 0) > 0 && after.get(name)?.length === 0,
    );
    const own = gone.filter((name) => lost.get(name) === before.get(name)?.length);
    // Other statements may empty a table and still be a write.
    if (own.length > 0 && /^\W*(DELETE|DROP)/i.test(text) && !/WHERE/i.test(text))
      expect(judged.effect).toBe('destroy');
  },
});

const reach = 2;

fuzz({
  name: 'sql-reach',
  holds:
    'without approval no statement changes or deletes more rows than the limit, and a measured count is not too low',
  short: 100,
  weight: 100,
  inputs: statement,
  async property(text) {
    const open = await fresh();
    const measured = await ask(open.measure({ text }, call));
    expect(isSame(read(file))).toBe(true);
    await ask(open.run({ text, ceiling: 'write', reach, limit: 10 }, call));
    const limited = lostRows(read(file));
    const total = [...limited.values()].reduce((sum, count) => sum + count, 0);
    expect(total).toBeLessThanOrEqual(reach);
    const again = await fresh();
    const ran = await ask(again.run({ text, ceiling: 'destroy', limit: 10 }, call));
    if (!ran || !measured) return;
    const lost = [...lostRows(read(file)).values()].reduce((sum, count) => sum + count, 0);
    const shown = rowsLost(measured.tables);
    if (shown !== null) expect(lost).toBeLessThanOrEqual(shown);
  },
});

fuzz({
  name: 'sql-read',
  holds: 'a statement that runs with the ceiling read changes nothing',
  short: 500,
  weight: 20,
  inputs: fc.oneof(
    statement,
    piecewise(
      [
        'SELECT',
        'DELETE FROM',
        'log',
        ';',
        "'",
        '"',
        '--',
        '/*',
        '*/',
        '\n',
        '(',
        ')',
        'DROP TABLE',
        'WITH x AS',
        '1',
        ',',
        '`',
        '[',
        ']',
        'RETURNING *',
        'EXPLAIN',
        'PRAGMA',
        'user_version',
        '=',
      ],
      10,
    ),
  ),
  async property(text) {
    session ??= await fresh();
    const ran = await ask(session.run({ text, ceiling: 'read', limit: 3 }, call));
    if (ran) expect(ran.effect).toBe('read');
    if (!isSame(read(file))) {
      await fresh();
      throw new Error('The file changed');
    }
  },
});

const engine = new DatabaseSync(':memory:');
const sqlPieces = [
  'SELECT 1',
  ';',
  "'",
  "''",
  '"',
  '""',
  '`',
  '[',
  ']',
  '--',
  '\n',
  '/*',
  '*/',
  '/',
  '*',
  ' ',
  'x',
  '1',
  'é',
  '\ufeff',
  ':a',
  '?',
  '$b',
  "x'",
  '\f',
  '.5',
  '\r',
];

fuzz({
  name: 'sql-tokens',
  holds: 'the tokens together are the text, and a semicolon ends a statement where the engine ends it',
  short: 2000,
  inputs: piecewise(sqlPieces, 12).filter((text) => !text.includes('\0')),
  property(text) {
    const tokens = tokenize(text.toWellFormed());
    expect(tokens.map((token) => token.text).join('')).toBe(text.toWellFormed());
    const words = significant(tokens);
    const sql = `SELECT 1 AS a ${text}`;
    let consumed: string;
    try {
      consumed = engine.prepare(sql).sourceSQL;
    } catch {
      return;
    }
    const end = consumed.length - 'SELECT 1 AS a '.length;
    const semicolon = words.find((token) => token.text === ';');
    if (semicolon) expect(end).toBe(semicolon.end);
    else expect(end).toBeGreaterThanOrEqual(words.at(-1)?.end ?? 0);
  },
});
