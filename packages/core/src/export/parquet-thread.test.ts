import { setImmediate as turn } from 'node:timers/promises';
import { type ColumnHead, type RowSet, rowSetFromCells } from '@trestle/driver-kit';
import { parquetReadObjects } from 'hyparquet';
import { expect, test } from 'vitest';
import { parquetThread } from './parquet-thread.ts';

const heads: ColumnHead[] = [
  { name: 'n', type: 'int', nativeType: 'int' },
  { name: 'words', type: 'text', nativeType: 'text' },
];

function rowsWithVectors(count: number, dimensions: number): RowSet {
  return {
    rowCount: count,
    columns: [{ name: 'vector', type: 'vector', nativeType: 'vector' }],
    values: [
      {
        kind: 'vectors',
        dimensions,
        floats: Float32Array.from({ length: count * dimensions }, (_, at) => at),
        present: new Uint8Array(count).fill(1),
      },
    ],
  };
}

test('the thread writes only the given range of each batch', async () => {
  const writer = parquetThread({ columns: [] });
  const rows = rowSetFromCells(
    heads,
    Array.from({ length: 5 }, (_, row) => [BigInt(row), `words ${row}`]),
  );
  const pieces = [await writer.rows(rows, 1, 3), await writer.rows(rows, 4, 5), await writer.end()];
  const file = Buffer.concat(pieces);
  const buffer = file.buffer.slice(file.byteOffset, file.byteOffset + file.length) as ArrayBuffer;
  expect(await parquetReadObjects({ file: buffer })).toEqual(
    [1, 2, 4].map((row) => ({ n: BigInt(row), words: `words ${row}` })),
  );
});

test('other work runs while a group of rows is encoded', async () => {
  const writer = parquetThread({ columns: [] });
  let isWritten = false;
  const piece = writer.rows(rowsWithVectors(400, 1536), 0, 400).then((bytes) => {
    isWritten = true;
    return bytes;
  });
  let turns = 0;
  while (!isWritten) {
    await turn();
    turns++;
  }
  expect((await piece).length).toBeGreaterThan(400 * 1536 * 4);
  expect(turns).toBeGreaterThan(100);
  await writer.end();
});

test('a value that does not fit its column gets the same error as without a thread', async () => {
  const writer = parquetThread({ columns: [] });
  const rows = rowSetFromCells(heads, [['soon', 'x']]);
  await expect(writer.rows(rows, 0, 1)).rejects.toMatchObject({
    code: 'unsupported',
    message: 'n holds "soon", which a Parquet column of type int cannot hold',
    hint: 'Export as CSV or JSON lines, which hold any value.',
  });
  writer.close?.();
});

test('closing the writer ends its thread, and rejects the pending call and later ones', async () => {
  const writer = parquetThread({ columns: [] });
  const asked = writer.rows(rowsWithVectors(400, 1536), 0, 400);
  writer.close?.();
  await expect(asked).rejects.toThrow('has ended');
  await expect(writer.end()).rejects.toThrow('cancelled');
});
