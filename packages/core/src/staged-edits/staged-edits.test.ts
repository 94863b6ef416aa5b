import { rowSetFromCells } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { packEdits, unpackEdits } from './packed-edits.ts';
import { rowId, rowKeys } from './row-id.ts';
import {
  changesOf,
  countInvalid,
  countStaged,
  discardAll,
  discardRows,
  noEdits,
  redo,
  type StagedEdits,
  type Step,
  stage,
  stageAll,
  stagedRows,
  undo,
} from './staged-edits.ts';

const earth = { id: 3 };
const mars = { id: 4 };
let steps = 0;
const edit = (key: { id: number }, column: string, cell: string | null, from: string): Step => ({
  id: `step ${steps++}`,
  kind: 'edit',
  cells: [{ row: rowId(key), key, column, cell, from }],
});
const insert: Step = { id: 'insert', kind: 'insert', row: 'new-1', values: { name: 'Vulcan' } };
const remove = (key: { id: number }): Step => ({
  id: `step ${steps++}`,
  kind: 'delete',
  rows: [{ row: rowId(key), key }],
});
const back = (edits: StagedEdits) => undo(edits, edits.steps.at(-1)?.id ?? '');
const again = (edits: StagedEdits) => redo(edits, edits.undone.at(-1)?.id ?? '');

function staged(...steps: Step[]) {
  return steps.reduce(stage, noEdits);
}

test('edits of one row are one change, with the last value of each cell', () => {
  const edits = staged(
    edit(earth, 'name', 'Terra', 'Earth'),
    edit(earth, 'name', 'Tellus', 'Earth'),
    edit(earth, 'note', null, 'blue'),
  );
  expect(changesOf(stagedRows(edits))).toEqual([
    {
      kind: 'update',
      id: rowId(earth),
      key: earth,
      values: { name: 'Tellus', note: null },
      expected: { name: 'Earth', note: 'blue' },
    },
  ]);
});

test('a cell that is set back to its old value is not an edit', () => {
  const edits = staged(edit(earth, 'name', 'Terra', 'Earth'), edit(earth, 'name', 'Earth', 'Earth'));
  expect(countStaged(stagedRows(edits)).total).toBe(0);
});

test('a column called __proto__ is edited like any other, in stored and in new rows', () => {
  const stored = staged(edit(earth, '__proto__', 'b', 'a'), edit(earth, 'name', 'Terra', 'Earth'));
  const cell = { row: 'new-1', key: null, column: '__proto__', cell: 'c', problem: 'too long' };
  const added = stagedRows(staged(insert, { id: 'typed', kind: 'edit', cells: [cell] }));
  const [change] = changesOf(stagedRows(stored));
  expect(change?.kind === 'update' && Object.entries(change.values)).toEqual([
    ['__proto__', 'b'],
    ['name', 'Terra'],
  ]);
  expect(Object.entries(added.inserted.get('new-1') ?? {})).toContainEqual(['__proto__', 'c']);
  expect(Object.keys(added.invalid.get('new-1') ?? {})).toEqual(['__proto__']);
});

test('undo and redo go one step at a time, and after a new step there is nothing to redo', () => {
  const edits = staged(edit(earth, 'name', 'Terra', 'Earth'), insert, remove(mars));
  expect(countStaged(stagedRows(edits))).toEqual({ updated: 1, inserted: 1, deleted: 1, total: 3 });
  const twice = back(back(edits));
  expect(countStaged(stagedRows(twice))).toEqual({ updated: 1, inserted: 0, deleted: 0, total: 1 });
  expect(stagedRows(again(again(twice)))).toEqual(stagedRows(edits));
  expect(stage(twice, remove(earth)).undone).toEqual([]);
  expect(back(noEdits)).toBe(noEdits);
});

test('a step that is already staged or undone is not staged again', () => {
  const edits = staged(edit(earth, 'name', 'Terra', 'Earth'), remove(mars));
  expect(stageAll(edits, edits.steps)).toBe(edits);
  expect(stageAll(back(edits), edits.steps)).toEqual(back(edits));
  expect(stageAll(edits, [...edits.steps, insert]).steps).toEqual([...edits.steps, insert]);
});

test('one step may change many cells, and one undo reverts them all', () => {
  const cells = [earth, mars].map((key) => ({ row: rowId(key), key, column: 'note', cell: null, from: 'x' }));
  const edits = staged({ id: 'cells', kind: 'edit', cells });
  expect(countStaged(stagedRows(edits)).updated).toBe(2);
  expect(countStaged(stagedRows(back(edits))).total).toBe(0);
});

test('an inserted row can be edited, and deleting it leaves no change', () => {
  const cell = { row: 'new-1', key: null, column: 'mass', cell: 5 };
  const edits = staged(insert, { id: 'cells', kind: 'edit', cells: [cell] });
  expect(changesOf(stagedRows(edits))).toEqual([
    { kind: 'insert', id: 'new-1', values: { name: 'Vulcan', mass: 5 } },
  ]);
  const gone = stage(edits, { id: 'gone', kind: 'delete', rows: [{ row: 'new-1', key: null }] });
  expect(countStaged(stagedRows(gone)).total).toBe(0);
});

test('a deleted row counts once, and restoring it brings its edits back', () => {
  const edits = staged(edit(earth, 'name', 'Terra', 'Earth'), remove(earth));
  expect(changesOf(stagedRows(edits))).toEqual([
    { kind: 'delete', id: rowId(earth), key: earth, expected: {} },
  ]);
  expect(countStaged(stagedRows(edits))).toEqual({ updated: 0, inserted: 0, deleted: 1, total: 1 });
  const restored = stage(edits, { id: 'kept', kind: 'restore', rows: [rowId(earth)] });
  expect(countStaged(stagedRows(restored))).toEqual({ updated: 1, inserted: 0, deleted: 0, total: 1 });
});

test('a save sends deletes first and inserts last, so that a freed key can be used again', () => {
  const edits = staged(insert, edit(earth, 'name', 'Terra', 'Earth'), remove(mars));
  expect(changesOf(stagedRows(edits)).map(({ kind }) => kind)).toEqual(['delete', 'update', 'insert']);
});

test('discarding some rows leaves the others, also within one step', () => {
  const cells = [earth, mars].map((key) => ({ row: rowId(key), key, column: 'note', cell: null, from: 'x' }));
  const edits = discardRows(staged({ id: 'cells', kind: 'edit', cells }), [rowId(earth)]);
  expect([...stagedRows(edits).updated.keys()]).toEqual([rowId(mars)]);
});

test('a row id distinguishes types and does not depend on the order of columns', () => {
  expect(rowId({ a: 1, b: 'x' })).toBe(rowId({ b: 'x', a: 1 }));
  expect(rowId({ a: 1 })).not.toBe(rowId({ a: '1' }));
  expect(rowId({ a: 9007199254740993n })).not.toBe(rowId({ a: '9007199254740993' }));
  expect(rowId({ a: new Uint8Array([1]) })).not.toBe(rowId({ a: 'AQ==' }));
});

test('the key of a row is read from the page; it is null if a key column is NULL or missing', () => {
  const rows = rowSetFromCells(
    [
      { name: 'uuid', type: 'uuid', nativeType: 'uuid' },
      { name: 'name', type: 'text', nativeType: 'text' },
    ],
    [
      ['a', 'x'],
      [null, 'y'],
    ],
  );
  expect(rowKeys(rows, ['uuid'])).toEqual([{ uuid: 'a' }, null]);
  expect(rowKeys(rows, ['name', 'uuid'])).toEqual([{ name: 'x', uuid: 'a' }, null]);
  expect(rowKeys(rows, [])).toEqual([null, null]);
  expect(rowKeys(rows, ['missing'])).toEqual([null, null]);
});

test('staged edits survive being packed, 64-bit integers and bytes included', () => {
  const key = { id: 9007199254740993n };
  const cell = { row: rowId(key), key, column: 'blob', cell: new Uint8Array([1, 2]), from: null };
  const edits = back(staged({ id: 'cells', kind: 'edit', cells: [cell] }, insert));
  expect(unpackEdits(packEdits(edits))).toEqual(edits);
});

test('a further step gives the same rows as all steps together, and does not change the rows of earlier steps', () => {
  const both: Step = {
    id: 'both',
    kind: 'edit',
    cells: [
      { row: rowId(earth), key: earth, column: 'name', cell: 'Gaia', from: 'Earth' },
      { row: 'new-1', key: null, column: '__proto__', cell: 'Vulcan', problem: 'Too hot' },
    ],
  };
  const all = [edit(earth, 'name', 'Terra', 'Earth'), insert, both, remove(earth), remove(mars)];
  let edits = noEdits;
  for (const [at, step] of all.entries()) {
    const before = stagedRows(edits);
    const copy = structuredClone(before);
    edits = stage(edits, step);
    expect(stagedRows(edits)).toEqual(stagedRows({ steps: all.slice(0, at + 1) }));
    expect(before).toEqual(copy);
  }
});

test('steps of one action are undone and redone together', () => {
  const added: Step = { id: 'i1', group: 'paste', kind: 'insert', row: 'new-2', values: {} };
  const cells: Step = {
    id: 'e1',
    group: 'paste',
    kind: 'edit',
    cells: [{ row: 'new-2', key: null, column: 'name', cell: 'Vulcan' }],
  };
  const edits = stageAll(staged(edit(earth, 'name', 'Terra', 'Earth')), [added, cells]);
  expect(countStaged(stagedRows(edits)).total).toBe(2);
  expect(back(edits).steps).toHaveLength(1);
  expect(again(back(edits)).steps).toEqual(edits.steps);
  const all = edits.steps.map(({ id }) => id);
  const discarded = discardAll(edits, all);
  expect(discarded.steps).toEqual([]);
  expect(again(again(discarded)).steps).toEqual(edits.steps);
});

test('a value that does not fit is counted until it is fixed, reverted, or its row is deleted', () => {
  const wrong: Step = {
    id: 'wrong',
    kind: 'edit',
    cells: [
      { row: rowId(earth), key: earth, column: 'size', cell: 'big', from: 1, problem: 'Expected a number' },
    ],
  };
  const edits = staged(wrong);
  expect(stagedRows(edits).invalid.get(rowId(earth))).toEqual({ size: 'Expected a number' });
  expect(countInvalid(stagedRows(edits))).toBe(1);
  expect(countInvalid(stagedRows(back(edits)))).toBe(0);
  expect(countInvalid(stagedRows(stage(edits, remove(earth))))).toBe(0);
  expect(countInvalid(stagedRows(stage(edits, edit(earth, 'size', '2', '1'))))).toBe(0);
  expect(countInvalid(stagedRows(unpackEdits(packEdits(edits))!))).toBe(1);
});
