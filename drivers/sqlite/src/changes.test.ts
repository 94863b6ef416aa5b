import { DatabaseSync } from 'node:sqlite';
import type { Cell, Change } from '@trestle/driver-kit';
import { save } from '@trestle/driver-kit/testing';
import { randomSource } from '@trestle/driver-kit/testing/random';
import { expect, onTestFinished, test } from 'vitest';
import { literal } from './sql.ts';
import { call, temporaryDatabase } from './testing/temporary-database.ts';

const insert = (id: string, values: Record<string, Cell>): Change => ({ kind: 'insert', id, values });

test('only a row that violates a constraint fails, with SQLite’s message', async () => {
  const { session, query } = await temporaryDatabase(
    'CREATE TABLE t (id INTEGER PRIMARY KEY, n TEXT UNIQUE NOT NULL);',
  );
  const changes = [
    insert('a', { n: 'x' }),
    insert('b', { n: 'x' }),
    insert('c', { n: null }),
    insert('d', { n: 'y' }),
  ];
  expect(await save(session, { table: 't', changes })).toEqual([
    { id: 'a', status: 'applied', key: { id: 1 } },
    { id: 'b', status: 'failed', error: { code: 'conflict', message: 'UNIQUE constraint failed: t.n' } },
    { id: 'c', status: 'failed', error: { code: 'conflict', message: 'NOT NULL constraint failed: t.n' } },
    { id: 'd', status: 'applied', key: { id: 2 } },
  ]);
  expect(query('SELECT n FROM t ORDER BY id')).toEqual([['x'], ['y']]);
});

test('if a trigger rolls everything back or ignores a row, only the row that fired the trigger fails', async () => {
  const { session, query } = await temporaryDatabase(`CREATE TABLE t (id INTEGER PRIMARY KEY, n);
    CREATE TRIGGER r BEFORE INSERT ON t WHEN new.n = 'bad' BEGIN SELECT RAISE(ROLLBACK, 'no bad ones'); END;
    CREATE TRIGGER i BEFORE INSERT ON t WHEN new.n = 'quiet' BEGIN SELECT RAISE(IGNORE); END;`);
  const changes = [
    insert('a', { n: 1 }),
    insert('b', { n: 'bad' }),
    insert('c', { n: 'quiet' }),
    insert('d', { n: 'bad' }),
    insert('e', { n: 2 }),
  ];
  const outcomes = await save(session, { table: 't', changes });
  expect(outcomes.map(({ id, status, error }) => [id, status, error?.message])).toEqual([
    ['a', 'applied', undefined],
    ['b', 'failed', 'no bad ones'],
    ['c', 'failed', 'A trigger of the table dropped this change'],
    ['d', 'failed', 'no bad ones'],
    ['e', 'applied', undefined],
  ]);
  expect(query('SELECT n FROM t ORDER BY id')).toEqual([[1n], [2n]]);
});

test('a save can be cancelled after a row whose trigger rolls everything back', async () => {
  const { session } = await temporaryDatabase(`CREATE TABLE t (id INTEGER PRIMARY KEY);
    CREATE TRIGGER r BEFORE INSERT ON t WHEN new.id = 1 BEGIN SELECT RAISE(ROLLBACK, 'no'); END;`);
  const stop = new AbortController();
  const changes = [insert('a', { id: 1 }), insert('b', { id: 2 })];
  const request = { table: 't', changes, rowTimeoutMs: 9_000 };
  const reports = session.applyChanges!(request, { signal: stop.signal })[Symbol.asyncIterator]();
  expect(await reports.next()).toEqual({ done: false, value: { sent: [], outcomes: [] } });
  stop.abort();
  await expect(reports.next()).rejects.toMatchObject({ code: 'cancelled' });
});

test('a key that names one column twice is refused', async () => {
  const { session, query } = await temporaryDatabase(
    'CREATE TABLE t (a, b, n, PRIMARY KEY (a, b)) WITHOUT ROWID; INSERT INTO t VALUES (1, 2, 3);',
  );
  const changes: Change[] = [{ id: 'x', kind: 'delete', key: { a: 1, A: 1 } }];
  const [outcome] = await save(session, { table: 't', changes });
  expect(outcome?.error?.message).toBe('A row of t is identified by a, b, not by a, A');
  expect(query('SELECT n FROM t')).toEqual([[3n]]);
});

test.each(['ON CONFLICT', 'ON/* or else */CONFLICT', 'on -- a comment\n conflict'])(
  'a save reports a conflict although the constraint says %j with REPLACE or IGNORE',
  async (words) => {
    const { session, query } = await temporaryDatabase(
      `CREATE TABLE t (id INTEGER PRIMARY KEY, n UNIQUE ${words} REPLACE, m UNIQUE ${words} IGNORE); INSERT INTO t VALUES (1, 'x', 'y');`,
    );
    const changes = [insert('a', { n: 'x' }), insert('b', { m: 'y' })];
    const outcomes = await save(session, { table: 't', changes });
    expect(outcomes.map((outcome) => outcome.error?.code)).toEqual(['conflict', 'conflict']);
    expect(query('SELECT * FROM t')).toEqual([[1n, 'x', 'y']]);
  },
);

test('a row that another table refers to is not deleted, and the error says why', async () => {
  const { session, query } = await temporaryDatabase(`CREATE TABLE p (id INTEGER PRIMARY KEY);
    CREATE TABLE c (id INTEGER PRIMARY KEY, p REFERENCES p); INSERT INTO p VALUES (1); INSERT INTO c VALUES (1, 1);`);
  const [outcome] = await save(session, {
    table: 'p',
    changes: [{ kind: 'delete', id: 'd', key: { id: 1 } }],
  });
  expect(outcome?.error).toMatchObject({
    code: 'conflict',
    message: 'FOREIGN KEY constraint failed',
    hint: expect.stringMatching('Other rows still refer to this row'),
  });
  expect(query('SELECT count(*) FROM p')).toEqual([[1n]]);
});

test('if a deferred foreign key fails at the commit, only the rows at fault are refused', async () => {
  const { session, query } = await temporaryDatabase(`CREATE TABLE p (id INTEGER PRIMARY KEY);
    CREATE TABLE c (id INTEGER PRIMARY KEY, p REFERENCES p DEFERRABLE INITIALLY DEFERRED);`);
  const changes: Change[] = [
    insert('a', { p: null }),
    insert('b', { p: 5 }),
    { kind: 'delete', id: 'n', key: null },
  ];
  const error = { ...brokenReference, hint: expect.stringMatching('Other rows still refer to this row') };
  expect(await save(session, { table: 'c', changes })).toEqual([
    { id: 'a', status: 'applied', key: { id: 1 } },
    { id: 'b', status: 'failed', error },
    { id: 'n', status: 'skipped' },
  ]);
  expect(query('SELECT p FROM c')).toEqual([[null]]);
});

const brokenReference = { code: 'conflict', message: 'FOREIGN KEY constraint failed' };

test.each(['', 'WITHOUT ROWID'])(
  'of a batch with a dangling row %s, the others are stored, also rows that refer to later ones',
  async (option) => {
    const { session, query } = await temporaryDatabase(
      `CREATE TABLE t (id INTEGER PRIMARY KEY, up INTEGER REFERENCES t DEFERRABLE INITIALLY DEFERRED) ${option};`,
    );
    // 700 refers to nothing, and 10 to 700. The others refer to the next row, and the last one to none.
    const up = (id: number) =>
      id === 700 ? 5000 : id === 10 ? 700 : id === 1000 ? null : id === 9 || id === 699 ? null : id + 1;
    const changes = Array.from({ length: 1000 }, (_, at) =>
      insert(String(at + 1), { id: at + 1, up: up(at + 1) }),
    );
    const outcomes = await save(session, { table: 't', changes });
    const failed = outcomes.filter(({ status }) => status !== 'applied');
    expect(failed.map(({ id }) => id)).toEqual(['10', '700']);
    for (const { error } of failed) expect(error).toMatchObject(brokenReference);
    expect(query('SELECT count(*) FROM t')).toEqual([[998n]]);
    expect(query('PRAGMA foreign_key_check')).toEqual([]);
  },
);

test('a delete that would leave a deferred reference is refused alone, and so is a change of the key', async () => {
  const { session, query } =
    await temporaryDatabase(`CREATE TABLE p (id TEXT PRIMARY KEY NOT NULL COLLATE NOCASE);
    CREATE TABLE c (id INTEGER PRIMARY KEY, p REFERENCES p DEFERRABLE INITIALLY DEFERRED);
    INSERT INTO p VALUES ('a'), ('b'), ('c'), ('d'); INSERT INTO c VALUES (1, 'A'), (2, 'c');`);
  const outcomes = await save(session, {
    table: 'p',
    changes: [
      { kind: 'delete', id: '1', key: { id: 'a' } },
      { kind: 'delete', id: '2', key: { id: 'b' } },
      { kind: 'update', id: '3', key: { id: 'c' }, values: { id: 'x' } },
      { kind: 'update', id: '4', key: { id: 'd' }, values: { id: 'y' } },
    ],
  });
  expect(outcomes.map(({ status }) => status)).toEqual(['failed', 'applied', 'failed', 'applied']);
  expect(query('SELECT id FROM p ORDER BY id')).toEqual([['a'], ['c'], ['y']]);
});

test('a reference that a trigger breaks refuses the whole save, with the reason', async () => {
  const { session, query } = await temporaryDatabase(`CREATE TABLE p (id INTEGER PRIMARY KEY);
    CREATE TABLE c (p REFERENCES p DEFERRABLE INITIALLY DEFERRED);
    CREATE TABLE t (id INTEGER PRIMARY KEY);
    CREATE TRIGGER r AFTER INSERT ON t BEGIN INSERT INTO c VALUES (new.id); END;`);
  const [outcome] = await save(session, { table: 't', changes: [insert('a', { id: 1 })] });
  expect(outcome).toMatchObject({ error: { ...brokenReference, hint: 'None of the changes was saved.' } });
  expect(query('SELECT count(*) FROM t')).toEqual([[0n]]);
});

test('rows of a table with NULL in its primary key are identified by rowid', async () => {
  const { session, query } = await temporaryDatabase(
    'CREATE TABLE t (k TEXT PRIMARY KEY, v); INSERT INTO t VALUES (NULL, 1), (NULL, 2);',
  );
  const description = await session.describeTable('t', call);
  expect([description.key, description.columns[0]]).toMatchObject([
    ['rowid'],
    { name: 'rowid', hidden: true, inKey: true },
  ]);
  const changes: Change[] = [
    { kind: 'update', id: 'u', key: { rowid: 2 }, values: { v: 9 } },
    { kind: 'update', id: 'r', key: { rowid: 2 }, values: { rowid: 9 } },
    insert('i', { k: 'new' }),
  ];
  const outcomes = await save(session, { table: 't', changes });
  expect(outcomes).toMatchObject([
    { status: 'applied' },
    { status: 'failed', error: { code: 'invalid_argument' } },
    { key: { rowid: 3 } },
  ]);
  expect(query('SELECT k, v FROM t')).toEqual([
    [null, 1n],
    [null, 9n],
    ['new', null],
  ]);
});

test('a save returns a changed key as the database stores it', async () => {
  const { session, query } = await temporaryDatabase(
    "CREATE TABLE t (a INTEGER, b TEXT, v, PRIMARY KEY (a, b)) WITHOUT ROWID; INSERT INTO t VALUES (1, 'x', 0);",
  );
  const changes: Change[] = [
    { kind: 'update', id: 'u', key: { a: 1, b: 'x' }, values: { a: '7' } },
    insert('i', { a: 9007199254740993n, b: 'é' }),
    { kind: 'update', id: 'p', key: { a: 7 }, values: { v: 1 } },
    { kind: 'delete', id: 's', key: { a: 7, b: null } },
  ];
  const outcomes = await save(session, { table: 't', changes });
  expect(outcomes).toMatchObject([
    { status: 'applied', key: { a: 7, b: 'x' } },
    { status: 'applied', key: { a: 9007199254740993n, b: 'é' } },
    { status: 'failed', error: { code: 'invalid_argument' } },
    { status: 'skipped' },
  ]);
  expect(query('SELECT a, b FROM t')).toEqual([
    [7n, 'x'],
    [9007199254740993n, 'é'],
  ]);
});

test('full-text and rtree tables are edited by rowid', async () => {
  const { session, query } = await temporaryDatabase(
    "CREATE VIRTUAL TABLE f USING fts5(body); INSERT INTO f VALUES ('one'), ('two'); CREATE VIRTUAL TABLE r USING rtree(id, a, b);",
  );
  const changes: Change[] = [
    { kind: 'update', id: 'u', key: { rowid: 1 }, values: { body: 'uno' } },
    { kind: 'delete', id: 'd', key: { rowid: 2 } },
    insert('i', { body: 'three' }),
  ];
  expect(await save(session, { table: 'f', changes })).toEqual([
    { id: 'u', status: 'applied' },
    { id: 'd', status: 'applied' },
    { id: 'i', status: 'applied', key: { rowid: 2 } },
  ]);
  expect(query("SELECT rowid, body FROM f WHERE f MATCH 'uno OR three'")).toEqual([
    [1n, 'uno'],
    [2n, 'three'],
  ]);
  expect(await save(session, { table: 'r', changes: [insert('i', { id: 5, a: 0, b: 1 })] })).toEqual([
    { id: 'i', status: 'applied', key: { rowid: 5 } },
  ]);
});

test('a table without a key accepts new rows, and the refusal of an update says why', async () => {
  const { session } = await temporaryDatabase('CREATE TABLE t (rowid, _rowid_, oid);');
  const changes: Change[] = [
    insert('i', { oid: 1 }),
    { kind: 'update', id: 'u', key: { oid: 1 }, values: { oid: 2 } },
  ];
  expect(await save(session, { table: 't', changes })).toEqual([
    { id: 'i', status: 'applied' },
    {
      id: 'u',
      status: 'failed',
      error: {
        code: 'unsupported',
        message:
          'Trestle can only add rows to t. Its rows cannot be told apart: it has no primary key or NULL in it, and its columns hide the rowid. Use an UPDATE or DELETE statement.',
      },
    },
  ]);
});

test('the refusal of a change names the view or the generated column, and a skipped row is logged', async () => {
  const { session, log } = await temporaryDatabase(
    'CREATE TABLE t (a, g AS (a + 1)); CREATE VIEW v AS SELECT a FROM t;',
  );
  const refused = await save(session, { table: 'v', changes: [insert('i', { a: 1 })] });
  expect(refused).toMatchObject([
    { status: 'failed', error: { code: 'unsupported', message: expect.stringContaining('v is read only') } },
  ]);
  const changes: Change[] = [
    insert('g', { g: 1 }),
    { kind: 'delete', id: 'k', key: null },
    insert('t', { a: 1, A: 2 }),
  ];
  expect(await save(session, { table: 't', changes })).toMatchObject([
    {
      status: 'failed',
      error: { code: 'invalid_argument', message: expect.stringContaining('The column g cannot be written') },
    },
    { status: 'skipped' },
    { status: 'failed', error: { message: expect.stringContaining('given twice') } },
  ]);
  expect(log).toEqual([{ level: 'warn', message: 'Skipped the delete of a row in t: the row has no key' }]);
});

test('running the preview has the same effect as the save', async () => {
  const random = randomSource(3);
  const cells: Cell[] = [
    ...[
      null,
      '',
      "it's",
      'a\0b',
      '\0',
      '--',
      '🪐',
      'x\ny',
      '"',
      '0x1',
      5,
      -0,
      0.1,
      2.5e-300,
      1e21,
      9007199254740992,
    ],
    ...[
      9007199254740993n,
      -9223372036854775808n,
      true,
      Number.POSITIVE_INFINITY,
      new Uint8Array([]),
      new Uint8Array([0, 255]),
    ],
    ...Array.from({ length: 40 }, () => random.below(2 ** 32) / (random.below(1000) + 1)),
    ...Array.from(
      { length: 40 },
      () => new Float64Array(new Uint32Array([random.below(2 ** 32), random.below(2 ** 30)]).buffer)[0]!,
    ),
  ];
  const schema = `CREATE TABLE "t ""x" (id INTEGER PRIMARY KEY, a, b TEXT, c NUMERIC, d REAL, "order" BLOB);
    INSERT INTO "t ""x" (a) VALUES ${cells.map(() => "('seed')").join(', ')};`;
  const saved = await temporaryDatabase(schema);
  const replayed = await temporaryDatabase(schema);
  const changes = cells.flatMap((cell, index): Change[] => [
    insert(`i${index}`, { a: cell, b: cell, c: cell, d: cell, order: cell }),
    { kind: 'update', id: `u${index}`, key: { id: index + 1 }, values: { a: cell, order: cell } },
    ...(index % 3 === 0 ? [{ kind: 'delete' as const, id: `d${index}`, key: { id: index + 1 } }] : []),
  ]);
  const previews = await saved.session.previewChanges!({ table: 't "x', changes }, call);
  const outcomes = await save(saved.session, { table: 't "x', changes });
  expect(outcomes.filter((outcome) => outcome.status !== 'applied')).toEqual([]);
  for (const { text } of previews) await replayed.session.run({ text, ceiling: 'write', limit: 1 }, call);
  const dump = 'SELECT *, typeof(a), typeof(b), typeof(c), typeof(d) FROM "t ""x" ORDER BY id';
  expect(replayed.query(dump)).toEqual(saved.query(dump));
});

test('a value that is written as an SQL literal reads back unchanged', async () => {
  const { query } = await temporaryDatabase('');
  for (const value of ["a'b", 'a\0b', 0.1, 1e300, 5e-324, 9007199254740993n, null]) {
    expect(query(`SELECT ${literal(value)}`)).toEqual([[value]]);
  }
});

test('a full disk refuses the whole save with one reason, and is not tried for each row', async () => {
  const { session, query } = await temporaryDatabase('CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT);');
  const changes = Array.from({ length: 50 }, (_, at) => insert(String(at), { v: 'x'.repeat(100_000) }));
  const run = DatabaseSync.prototype.prepare;
  onTestFinished(() => {
    DatabaseSync.prototype.prepare = run;
  });
  let tried = 0;
  DatabaseSync.prototype.prepare = function (this: DatabaseSync, text: string, ...more) {
    if (text.startsWith('INSERT') && ++tried > 10)
      throw Object.assign(new Error('database or disk is full'), { errcode: 13 });
    return run.call(this, text, ...more);
  };
  const outcomes = await save(session, { table: 't', changes });
  expect(new Set(outcomes.map(({ error }) => error?.code))).toEqual(new Set(['disk_full']));
  expect(tried).toBe(11);
  DatabaseSync.prototype.prepare = run;
  expect(query('SELECT count(*) FROM t')).toEqual([[0n]]);
});
