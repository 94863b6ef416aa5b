import { DatabaseSync } from 'node:sqlite';
import { rowAt } from '@trestle/driver-kit';
import { expect, onTestFinished, test } from 'vitest';
import { call, connect, temporaryDatabase } from './testing/temporary-database.ts';

const schema =
  "CREATE TABLE t (id INTEGER PRIMARY KEY, n TEXT); INSERT INTO t VALUES (1, 'a'), (2, 'b'), (3, 'c');";

test('columns of the same name are all kept, with types if they come from a table', async () => {
  const { session } = await temporaryDatabase(schema);
  const outcome = await session.run(
    { text: 'SELECT id, n AS id, 1 + 1 AS id FROM t WHERE id = 2', ceiling: 'read', limit: 5 },
    call,
  );
  expect(outcome).toEqual({
    effect: 'read',
    messages: [],
    results: [
      {
        kind: 'rows',
        truncated: false,
        rows: {
          rowCount: 1,
          columns: [
            { name: 'id', type: 'int', nativeType: 'INTEGER' },
            { name: 'id', type: 'text', nativeType: 'TEXT' },
            { name: 'id', type: 'any', nativeType: '' },
          ],
          values: [
            { kind: 'cells', cells: [2] },
            { kind: 'cells', cells: ['b'] },
            { kind: 'cells', cells: [2] },
          ],
        },
      },
    ],
  });
});

test('integers, reals, NULL, bytes and texts keep their values', async () => {
  const { session } = await temporaryDatabase('');
  const text =
    "SELECT 9007199254740993 AS big, 3 AS small, 3.0 AS real, NULL AS none, x'00ff' AS bytes, 'é' || char(0) AS text";
  const { results } = await session.run({ text, ceiling: 'read', limit: 5 }, call);
  expect(results[0]!.kind === 'rows' && rowAt(results[0]!.rows, 0)).toEqual({
    big: 9007199254740993n,
    small: 3,
    real: 3,
    none: null,
    bytes: new Uint8Array([0, 255]),
    text: 'é\0',
  });
});

test('a write with RETURNING runs to its end, and returns its rows up to the limit', async () => {
  const { session, query } = await temporaryDatabase(schema);
  const text = "INSERT INTO t (n) VALUES ('d'), ('e'), ('f') RETURNING id";
  const { effect, results } = await session.run({ text, ceiling: 'write', limit: 1 }, call);
  expect([effect, results]).toMatchObject([
    'write',
    [{ kind: 'rows', truncated: true, rows: { rowCount: 1 } }],
  ]);
  expect(query('SELECT count(*) FROM t')).toEqual([[6n]]);
});

test('changed rows are counted, and a statement that changes no rows counts 0', async () => {
  const { session } = await temporaryDatabase(schema);
  const run = async (text: string) =>
    (await session.run({ text, ceiling: 'destroy', limit: 1 }, call)).results;
  expect(await run("UPDATE t SET n = 'x' WHERE id > 1")).toEqual([{ kind: 'affected', rows: 2 }]);
  expect(await run('CREATE TABLE u (a)')).toEqual([{ kind: 'affected', rows: 0 }]);
  expect(await run('DELETE FROM t')).toEqual([{ kind: 'affected', rows: 3 }]);
});

test('an error in the middle of a statement undoes the whole statement', async () => {
  const { session, query } = await temporaryDatabase(schema);
  const text = "INSERT INTO t VALUES (10, 'x'), (1, 'taken')";
  await expect(session.run({ text, ceiling: 'write', limit: 1 }, call)).rejects.toMatchObject({
    code: 'conflict',
    message: 'UNIQUE constraint failed: t.id',
  });
  expect(query('SELECT count(*) FROM t')).toEqual([[3n]]);
});

test('a statement above the ceiling is refused, with the effect that the statement needs', async () => {
  const { session } = await temporaryDatabase(schema);
  await expect(
    session.run({ text: 'DELETE FROM t', ceiling: 'write', limit: 1 }, call),
  ).rejects.toMatchObject({
    code: 'above_ceiling',
    needs: 'destroy',
    message: 'Delete every row of t: this destroys data',
  });
});

test('a file that another program has locked is reported as locked', async () => {
  const { session, file } = await temporaryDatabase(schema);
  const other = new DatabaseSync(file);
  onTestFinished(() => other.close());
  other.exec('BEGIN EXCLUSIVE');
  await expect(session.count({ table: 't', filters: [], match: 'all' }, call)).rejects.toMatchObject({
    code: 'locked',
    message: 'database is locked',
    hint: expect.stringContaining('Another program'),
  });
  expect(await session.health(call)).toEqual({ warning: 'database is locked' });
  await expect(connect(file)).rejects.toMatchObject({
    code: 'locked',
    message: 'Connection failed: database is locked',
  });
});

test.each([
  ['SELECT * FROM gröe', 'größe'],
  ['SELECT * FROM main."my tabel"', 'my table'],
  ['SELECT g.naem FROM größe g', 'name'],
  ['SELECT "naem" FROM größe', 'name'],
])('the hint for %s names %s', async (text, near) => {
  const { session } = await temporaryDatabase('CREATE TABLE größe (name TEXT); CREATE TABLE "my table" (x)');
  await expect(session.run({ text, ceiling: 'read', limit: 5 }, call)).rejects.toMatchObject({
    hint: `Did you mean ${near}?`,
  });
});
