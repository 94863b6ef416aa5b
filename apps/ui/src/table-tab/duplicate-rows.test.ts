import type { ColumnDescription } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { duplicates } from './duplicate-rows.ts';
import type { TableLine } from './table-lines.ts';

type Column = Omit<ColumnDescription, 'name'>;
const text: Column = { type: 'text', nativeType: 'text', nullable: true, inKey: false, operators: [] };
const vector: Column = { ...text, type: 'vector', readOnly: 'Fixed', insertable: true, deferred: true };
const columns: ColumnDescription[] = [
  { ...text, name: 'id', inKey: true },
  { ...text, name: 'title' },
  { ...text, name: 'made', readOnly: 'Computed' },
  { ...vector, name: 'own' },
  { ...vector, name: 'filled', defaultText: 'made by a module' },
];
const line: TableLine = { id: 'a', key: { id: 'a' }, at: 0 };
const stored = (_: TableLine, column: string) => ({ id: 'a', title: 'One', made: 'x' })[column];

test('the result names a column whose value is not loaded, unless the database fills it in', () => {
  expect(duplicates([line], { columns, key: ['id'] }, stored)).toEqual({
    rows: [[{ column: 'title', cell: 'One' }]],
    left: ['own'],
  });
});

test('a copy of a new row keeps the values of columns that can be set only in a new row', () => {
  const added: TableLine = { id: 'new', key: null, state: 'inserted', edited: { own: [1, 2] } };
  expect(duplicates([added], { columns, key: ['id'] }, () => undefined)).toEqual({
    rows: [[{ column: 'own', cell: [1, 2] }]],
    left: [],
  });
});
