import { rowSetFromCells } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { exportedRows } from './exported-rows.ts';
import type { TableLine } from './table-lines.ts';
import type { ShownPage } from './use-page.ts';

const shown: ShownPage = {
  page: {
    rows: rowSetFromCells(
      [
        { name: 'distance', type: 'number', nativeType: 'number', isMeasure: true },
        { name: 'id', type: 'int', nativeType: 'int' },
      ],
      [
        [0.1, 7],
        [0.2, 8],
      ],
    ),
  },
  request: { table: 't', filters: [], match: 'all', sort: [], limit: 200, offset: 400 },
  search: null,
  askedAt: 0,
};
const lines: TableLine[] = [
  { id: 'new', key: null, state: 'inserted' },
  { id: 'id=7', key: { id: 7 }, at: 0 },
  { id: 'id=8', key: { id: 8 }, at: 1, state: 'deleted' },
];

test('rows on the page are exported by key, with the columns that a search computed and without new rows', () => {
  expect(exportedRows('page', shown, { lines, selected: [] })).toEqual({
    kind: 'keys',
    keys: [{ id: 7 }, { id: 8 }],
    computed: { columns: [{ name: 'distance', type: 'number', nativeType: 'number' }], cells: [[0.1, 0.2]] },
  });
  expect(exportedRows('selection', shown, { lines, selected: [lines[0]!, lines[2]!] })).toMatchObject({
    keys: [{ id: 8 }],
    computed: { cells: [[0.2]] },
  });
});

test('a page of rows without keys is read again at its offset', () => {
  const keyless = lines.slice(1).map((line) => ({ ...line, key: null }));
  expect(exportedRows('page', shown, { lines: keyless, selected: [] })).toEqual({
    kind: 'page',
    limit: 200,
    offset: 400,
  });
});

test('an export of all rows or all matching rows is not limited to the page', () => {
  expect(exportedRows('all', null, { lines: [], selected: [] })).toEqual({ kind: 'all' });
  expect(exportedRows('matching', shown, { lines, selected: lines })).toEqual({ kind: 'all' });
});
