import { expect, test } from 'vitest';
import { cellAt, float32ToNumber, type RowSet, rowAt, rowSetFromCells } from './values.ts';

const rows: RowSet = {
  rowCount: 2,
  columns: [
    { name: 'title', type: 'text', nativeType: 'text' },
    { name: 'vector', type: 'vector', nativeType: 'vector' },
  ],
  values: [
    { kind: 'cells', cells: ['a', null] },
    {
      kind: 'vectors',
      dimensions: 2,
      floats: new Float32Array([0.1, -2, 9, 9]),
      present: new Uint8Array([1, 0]),
    },
  ],
};

test('rowAt returns the cell of each column, and a vector as short decimals', () => {
  expect(rowAt(rows, 0)).toEqual({ title: 'a', vector: [0.1, -2] });
});

test('a row without a vector has NULL in the vector column', () => {
  expect(rowAt(rows, 1)).toEqual({ title: null, vector: null });
});

test('cellAt throws for a column that does not exist', () => {
  expect(() => cellAt(rows, 2, 0)).toThrow(RangeError);
});

test('rows of cells become columns', () => {
  const set = rowSetFromCells(rows.columns.slice(0, 1), [['x'], [null]]);
  expect(set).toEqual({
    rowCount: 2,
    columns: rows.columns.slice(0, 1),
    values: [{ kind: 'cells', cells: ['x', null] }],
  });
});

test('a float32 as a decimal reads back as the same float32', () => {
  const bits = new Uint32Array(1);
  const float = new Float32Array(bits.buffer);
  for (let index = 0; index < 20_000; index++) {
    bits[0] = Math.imul(index, 0x9e3779b1);
    if (Number.isNaN(float[0])) continue;
    expect(Math.fround(float32ToNumber(float[0]!))).toBe(float[0]);
  }
  expect([0.1, 1 / 3, 16777216].map((value) => float32ToNumber(Math.fround(value)))).toEqual([
    0.1, 0.33333334, 16777216,
  ]);
});
