import { noEdits, type Step, stageAll, stagedRows } from '@trestle/core/staged-edits';
import { expect, test } from 'vitest';
import { keepsKey } from './keeps-key.ts';

const insert: Step = {
  id: 'a',
  kind: 'insert',
  row: 'new',
  key: { uuid: 'first' },
  values: { uuid: 'first', title: 'x' },
};
const typed = (column: string, cell: string | null): Step => ({
  id: `b ${column}`,
  kind: 'edit',
  cells: [{ row: 'new', key: null, column, cell }],
});
const keeps = (...steps: Step[]) => keepsKey(stagedRows(stageAll(noEdits, steps)), 'new');

test('a row that was sent keeps its key until the user types another one', () => {
  expect(keeps(insert)).toBe(true);
  expect(keeps(insert, typed('title', 'y'))).toBe(true);
  expect(keeps(insert, typed('uuid', null))).toBe(true);
  expect(keeps(insert, typed('uuid', 'second'))).toBe(false);
  expect(keeps({ id: 'a', kind: 'insert', row: 'new', values: {} })).toBe(false);
});

test('a sent row with a key column named constructor keeps its key', () => {
  const sent: Step = { id: 'a', kind: 'insert', row: 'new', key: { constructor: 1 } as never, values: {} };
  expect(keeps(sent)).toBe(true);
});
