import { discardCell, noEdits, type Step, stagedRows } from '@trestle/core/staged-edits';
import { expect, test } from 'vitest';
import { listedChanges } from './listed-changes.ts';

const cell = (row: string, column: string, value: string, from?: string) => ({
  row,
  key: { id: Number(row) },
  column,
  cell: value,
  ...(from !== undefined && { from }),
});
const steps: Step[] = [
  { id: 'a', kind: 'edit', cells: [cell('1', 'name', 'One', 'Eins'), cell('1', 'note', 'new')] },
  { id: 'b', kind: 'insert', row: 'new x', values: { name: 'Fresh' } },
  { id: 'c', kind: 'edit', cells: [cell('2', 'name', 'Two', 'Zwei')] },
  { id: 'd', kind: 'delete', rows: [{ row: '2', key: { id: 2 } }] },
];
const edits = { ...noEdits, steps, failures: { '1': { message: 'No room' } } };

test('each changed row is listed once, with the old values that are known', () => {
  expect(listedChanges(edits)).toEqual([
    {
      row: 'new x',
      key: null,
      kind: 'insert',
      cells: [{ column: 'name', from: undefined, to: 'Fresh', problem: undefined }],
      problem: undefined,
    },
    {
      row: '1',
      key: { id: 1 },
      kind: 'update',
      cells: [
        { column: 'name', from: 'Eins', to: 'One', problem: undefined },
        { column: 'note', from: undefined, to: 'new', problem: undefined },
      ],
      problem: 'No room',
    },
    { row: '2', key: { id: 2 }, kind: 'delete', cells: [], problem: undefined, seen: {} },
  ]);
});

test('one cell is reverted, and the others stay', () => {
  const left = discardCell(edits, '1', 'note');
  expect(stagedRows(left).updated.get('1')?.values).toEqual({ name: 'One' });
  expect(stagedRows(discardCell(left, '1', 'name')).updated.has('1')).toBe(false);
});

test('a valid cell has no problem, also if its column is named like a member of Object.prototype', () => {
  const cells = [{ ...cell('1', 'name', 'One'), problem: 'Too long' }, cell('1', 'constructor', 'Ferrari')];
  const [row] = listedChanges({ ...noEdits, steps: [{ id: 'a', kind: 'edit', cells }] });
  expect(row?.cells.map(({ problem }) => problem)).toEqual(['Too long', undefined]);
});
