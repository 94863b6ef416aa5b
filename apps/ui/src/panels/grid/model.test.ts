import { cutCell, maxCellBytes, rowSetFromCells } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import {
  cellOf,
  cutCellRefusal,
  displayOf,
  type GridModel,
  hasSameRows,
  isPending,
  refusalOf,
} from './model.ts';
import { gridModel } from './testing/grid-model.ts';
import type { GridLine } from './types.ts';

const rows = rowSetFromCells([{ name: 'name', type: 'text', nativeType: 'TEXT' }], [['Earth'], ['Mars']]);
const lines: GridLine[] = [
  { state: 'inserted', edited: {} },
  { at: 0, edited: { name: 'Terra' } },
  { at: 1, state: 'deleted' },
];
const model: GridModel = {
  ...gridModel(rows, lines, [
    { name: 'name', type: 'text' },
    { name: 'vector', type: 'vector', readOnly: 'Vectors are written by the server' },
  ]),
  deferredCell: (line) => (line === 1 ? [0.5] : undefined),
};
const [name, vector] = model.columns as [GridModel['columns'][0], GridModel['columns'][0]];

test('an edited value replaces the stored one', () => {
  expect([0, 1, 2].map((line) => cellOf(model, line, name))).toEqual([undefined, 'Terra', 'Mars']);
});

test('an unset value and a value that is not loaded look different', () => {
  const kinds = lines.map((line, index) => displayOf(model, line, index, vector).kind);
  expect(kinds).toEqual(['default', 'vector', 'pending']);
  expect([0, 1, 2].map((line) => isPending(model, line, vector))).toEqual([false, false, true]);
});

test('a refusal gives the reason of the column, the row or the whole grid', () => {
  expect(refusalOf(model, 1, name, undefined)).toBeNull();
  expect(refusalOf(model, 1, vector, undefined)).toBe('Vectors are written by the server');
  expect(refusalOf(model, 2, name, undefined)).toBe('This row is marked for deletion');
  expect(refusalOf(model, 1, name, 'Safe mode: read only')).toBe('Safe mode: read only');
});

test('a value that was not read whole cannot be edited', () => {
  const cut = cutCell('x'.repeat(maxCellBytes + 1));
  const large = rowSetFromCells([{ name: 'name', type: 'text', nativeType: 'TEXT' }], [[cut], ['Mars']]);
  const whole = { ...model, rows: large, lines: [{ at: 0 }, { at: 1 }] };
  expect(refusalOf(whole, 0, name, undefined)).toBe(cutCellRefusal);
  expect(refusalOf(whole, 1, name, undefined)).toBeNull();
});

test('lines show the same rows after an edit, but not after a new page, a moved line or a removed line', () => {
  const loaded = {
    ...model,
    deferredCell: () => [0.5],
    lines: lines.map((line) => ({ ...line, edited: {} })),
  };
  expect(hasSameRows(model, loaded, [0, 1, 2])).toBe(true);
  expect(hasSameRows(model, { ...model, rows: { ...rows } }, [1])).toBe(false);
  const moved = { ...model, lines: [{ state: 'inserted' as const, id: 'new' }, ...lines] };
  expect([[1], [2], [0]].map((at) => hasSameRows(model, moved, at))).toEqual([false, false, false]);
  expect(hasSameRows(model, { ...model, lines: lines.slice(0, 2) }, [1, 2])).toBe(false);
});
