import { rowAt, type Session } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { call, temporaryDatabase } from './testing/temporary-database.ts';

const blob = (numbers: number[]) => `x'${Buffer.from(Float32Array.from(numbers).buffer).toString('hex')}'`;

const schema = `
  CREATE TABLE notes (id INTEGER PRIMARY KEY, title TEXT, embedding BLOB, list TEXT, place TEXT, digest BLOB);
  INSERT INTO notes VALUES
    (1, 'one', ${blob([1, 0, 0, 0.5])}, '[1, 0, 0, 0.5]', '[48.1, 11.5]', randomblob(16)),
    (2, 'two', ${blob([0, 1, 0, 0.25])}, '[0, 1, 0, 0.25]', '[48.2, 11.6]', randomblob(16)),
    (3, '[not a list]', NULL, NULL, NULL, randomblob(16)),
    (4, 'four', ${blob([0, 0, 1, -0.5])}, '[0, 0, 1, -5e-1]', '[48.3, 11.7]', randomblob(16))`;

const all = { table: 'notes', filters: [], match: 'all' as const, sort: [] };

async function vectorColumns(session: Session, table = 'notes') {
  const { columns } = await session.describeTable(table, call);
  return columns.flatMap(({ name, type, vector }) => (vector ? [{ name, type, vector }] : []));
}

test('columns that hold lists of numbers or float32 values are vectors; coordinates and hashes are not', async () => {
  const { session } = await temporaryDatabase(schema);
  expect(await vectorColumns(session)).toEqual([
    { name: 'embedding', type: 'bytes', vector: { distance: 'cosine' } },
    { name: 'list', type: 'text', vector: { distance: 'cosine' } },
  ]);
});

test('a value that is too large to be read does not hide the vectors of the other rows', async () => {
  const { session } = await temporaryDatabase(
    `CREATE TABLE notes (id INTEGER PRIMARY KEY, v BLOB); INSERT INTO notes VALUES (1, zeroblob(140000000)), (2, ${blob([1, 2, 3, 4])})`,
  );
  expect(await vectorColumns(session)).toMatchObject([{ name: 'v' }]);
});

test('a column is a vector column only while its rows hold vectors of one length', async () => {
  const { session } = await temporaryDatabase('CREATE TABLE notes (id INTEGER PRIMARY KEY, v)');
  expect(await vectorColumns(session)).toEqual([]);
  await session.run({ text: "INSERT INTO notes VALUES (1, '[1,2,3,4]')", ceiling: 'write', limit: 1 }, call);
  expect(await vectorColumns(session)).toMatchObject([{ name: 'v' }]);
  await session.run({ text: "INSERT INTO notes VALUES (2, '[1,2,3]')", ceiling: 'write', limit: 1 }, call);
  expect(await vectorColumns(session)).toEqual([]);
});

test('an export returns vector columns as vectors on request, and otherwise as they are stored', async () => {
  const { session } = await temporaryDatabase(schema);
  const read = async (vectors?: string[]) => {
    const request = { ...all, columns: ['embedding', 'list'], ...(vectors && { vectors }) };
    const [rows] = await Array.fromAsync(session.exportRows!(request, call));
    return rows!;
  };
  const packed = await read(['embedding', 'list']);
  expect(packed.columns.map(({ type }) => type)).toEqual(['vector', 'vector', 'int']);
  for (const at of [0, 1]) {
    expect(packed.values[at]).toEqual({
      kind: 'vectors',
      dimensions: 4,
      floats: Float32Array.of(1, 0, 0, 0.5, 0, 1, 0, 0.25, 0, 0, 0, 0, 0, 0, 1, -0.5),
      present: Uint8Array.of(1, 1, 0, 1),
    });
  }
  expect(rowAt(await read(), 1)).toMatchObject({
    list: '[0, 1, 0, 0.25]',
    embedding: expect.any(Uint8Array),
  });
});

test('a vector of another length than the first is left out', async () => {
  const { session } = await temporaryDatabase(
    "CREATE TABLE notes (v); INSERT INTO notes VALUES (NULL), ('[1,2,3,4]'), ('[1,2,3]'), ('x'), ('[5,6,7,8]')",
  );
  const [rows] = await Array.fromAsync(session.exportRows!({ ...all, columns: ['v'], vectors: ['v'] }, call));
  const values = rows!.values[rows!.columns.findIndex(({ name }) => name === 'v')];
  expect(values).toMatchObject({ dimensions: 4, present: Uint8Array.of(0, 1, 0, 0, 1) });
});

test('a sample has the requested number of rows, spread over the whole table, and obeys the filters', async () => {
  const { session } = await temporaryDatabase(
    `CREATE TABLE notes (a INTEGER, b INTEGER, PRIMARY KEY (a, b)) WITHOUT ROWID;
     WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 9999) INSERT INTO notes SELECT i, i FROM n`,
  );
  const draw = async (filters: { column: string; operator: 'less_than'; value: number }[], rows: number) => {
    const batches = session.sampleRows!({ table: 'notes', filters, match: 'all', rows }, call);
    const sets = await Array.fromAsync(batches);
    return sets.flatMap((set) => Array.from({ length: set.rowCount }, (_, at) => Number(rowAt(set, at).a)));
  };
  const drawn = await draw([], 1000);
  expect(new Set(drawn).size).toBe(1000);
  const tenths = new Array<number>(10).fill(0);
  for (const number of drawn) tenths[Math.floor(number / 1000)]!++;
  for (const count of tenths) expect(Math.abs(count - 100)).toBeLessThan(50);
  const few = await draw([{ column: 'a', operator: 'less_than', value: 50 }], 20);
  expect(few).toHaveLength(20);
  expect(Math.max(...few)).toBeLessThan(50);
});

test('a sample of a view, whose rows have no key, has the requested number of rows too', async () => {
  const { session } = await temporaryDatabase(`${schema}; CREATE VIEW titles AS SELECT title FROM notes`);
  const request = { table: 'titles', filters: [], match: 'all' as const, rows: 2 };
  const sets = await Array.fromAsync(session.sampleRows!(request, call));
  expect(sets.reduce((sum, { rowCount }) => sum + rowCount, 0)).toBe(2);
});
