import { type ColumnHead, float32ToNumber, type RowSet, rowSetFromCells } from '@trestle/driver-kit';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { expect, test } from 'vitest';
import { parquetWriter } from './parquet-writer.ts';

const heads: ColumnHead[] = (
  ['uuid', 'text', 'int', 'number', 'boolean', 'date', 'bytes', 'json', 'vector', 'any'] as const
).map((type) => ({ name: `a ${type}`, type, nativeType: type }));

function write(batches: RowSet[], columns: string[] = []): ArrayBuffer {
  const writer = parquetWriter({ columns });
  const pieces = batches.map((rows) => writer.rows(rows, 0, rows.rowCount) as Uint8Array);
  const file = Buffer.concat([...pieces, writer.end() as Uint8Array]);
  return file.buffer.slice(file.byteOffset, file.byteOffset + file.length) as ArrayBuffer;
}

test('values of every type, and NULL, are read back', async () => {
  const id = '6f1c2b0e-8d4a-4c53-9d0f-2f7a2f1f9a10';
  const file = write([
    rowSetFromCells(heads, [
      [
        id,
        'ü 漢字 🚀\n"',
        9007199254740993n,
        -0.5,
        false,
        '1999-07-20T20:17:40.123456000+02:00',
        new Uint8Array([0, 255]),
        { a: [1, null] },
        [0.1, -2],
        7,
      ],
      heads.map(() => null),
    ]),
  ]);
  const [full, empty] = await parquetReadObjects({ file, utf8: false });
  expect({ ...full, 'a vector': (full!['a vector'] as number[]).map(float32ToNumber) }).toEqual({
    'a uuid': id,
    'a text': 'ü 漢字 🚀\n"',
    'a int': 9007199254740993n,
    'a number': -0.5,
    'a boolean': false,
    'a date': new Date('1999-07-20T18:17:40.123Z'),
    'a bytes': new Uint8Array([0, 255]),
    'a json': { a: [1, null] },
    'a vector': [0.1, -2],
    'a any': '7',
  });
  expect(Object.values(empty!).filter((value) => value !== null && value !== undefined)).toEqual([]);
});

test('a row group ends with the batch that fills it, and its bytes are written then', async () => {
  const columns: ColumnHead[] = [{ name: 'n', type: 'int', nativeType: 'int' }];
  const batch = (from: number) =>
    rowSetFromCells(
      columns,
      Array.from({ length: 6_000 }, (_, row) => [from + row]),
    );
  const writer = parquetWriter({ columns: [] });
  const sizes = [0, 6_000, 12_000].map(
    (from) => (writer.rows(batch(from), 0, 6_000) as Uint8Array).length > 0,
  );
  expect(sizes).toEqual([false, true, false]);

  const file = write([batch(0), batch(6_000), batch(12_000)]);
  expect(parquetMetadata(file).row_groups.map(({ num_rows }) => Number(num_rows))).toEqual([12_000, 6_000]);
  const rows = await parquetReadObjects({ file });
  expect(rows.map(({ n }) => Number(n))).toEqual(Array.from({ length: 18_000 }, (_, row) => row));
});

test('a file without rows still has the columns of the table', async () => {
  const empty = write([rowSetFromCells(heads.slice(0, 3), [])]);
  expect(parquetMetadata(empty).schema.map(({ name }) => name)).toEqual([
    'root',
    'a uuid',
    'a text',
    'a int',
  ]);
  expect(await parquetReadObjects({ file: empty })).toEqual([]);
  expect(parquetMetadata(write([], ['x'])).schema.map(({ name }) => name)).toEqual(['root', 'x']);
});

test('a text in an int column is refused', () => {
  const column: ColumnHead = { name: 'year', type: 'int', nativeType: 'INT' };
  expect(() => write([rowSetFromCells([column], [['soon']])])).toThrow(
    'year holds "soon", which a Parquet column of type int cannot hold',
  );
});

test.each([
  ['number', 9007199254740993n],
  ['date', '2026-03-01T12:00:00'],
  ['date', '2026-03-01 12:00:00'],
  ['date', '7'],
] as const)('a %s column refuses %s, because the written value could differ', (type, cell) => {
  const rows = rowSetFromCells([{ name: 'a', type, nativeType: type }], [[cell]]);
  expect(() => write([rows])).toThrow(`which a Parquet column of type ${type} cannot hold`);
});

test.each([
  ['number', 2n ** 60n, 2 ** 60],
  ['date', '1969-12-31T23:59:58.5Z', new Date('1969-12-31T23:59:58.500Z')],
  ['date', '2026-03-01', new Date('2026-03-01T00:00:00Z')],
] as const)('a %s column holds %s', async (type, cell, expected) => {
  const file = write([rowSetFromCells([{ name: 'a', type, nativeType: type }], [[cell]])]);
  expect(await parquetReadObjects({ file })).toEqual([{ a: expected }]);
});
