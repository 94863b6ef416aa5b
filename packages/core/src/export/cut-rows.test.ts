import { type RowSet, rowAt } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { cutRows } from './cut-rows.ts';

test('rows are cut into parts that together are the same rows', () => {
  const rows: RowSet = {
    rowCount: 5,
    columns: [
      { name: 'text', type: 'text', nativeType: 'text' },
      { name: 'vector', type: 'vector', nativeType: 'vector' },
    ],
    values: [
      { kind: 'cells', cells: ['a'.repeat(100), null, 'b', 'c'.repeat(300), ''] },
      {
        kind: 'vectors',
        dimensions: 2,
        floats: Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10),
        present: Uint8Array.of(1, 1, 0, 1, 1),
      },
    ],
  };
  const all = (parts: RowSet[]) =>
    parts.flatMap((part) => Array.from({ length: part.rowCount }, (_, row) => rowAt(part, row)));
  const parts = cutRows(rows, 200);
  expect(parts.length).toBeGreaterThan(2);
  expect(all(parts)).toEqual(all([rows]));
  expect(cutRows(rows, 1_000_000)).toEqual([rows]);
});
