import {
  applyCommand,
  changesOf,
  noEdits,
  redo,
  rowId,
  type StagedEdits,
  type Step,
  stage,
  stagedRows,
  undo,
} from '@trestle/core/staged-edits';
import type { Cell, ChangeOutcome } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { listedChanges } from './listed-changes.ts';

const earth = { id: 3 };
const row = rowId(earth);
const edit = (id: string, cell: Cell, from: Cell, more: { isAnswer?: true } = {}): Step => ({
  ...{ id, kind: 'edit' },
  cells: [{ row, key: earth, column: 'name', cell, from, ...more }],
});
const changes = (edits: StagedEdits) => changesOf(stagedRows(edits));
const saved = (edits: StagedEdits, outcome: Omit<ChangeOutcome, 'id'>) => {
  const begun = applyCommand(edits, { kind: 'begin', save: 'save', rows: [row], at: 0 });
  const outcomes = [{ id: row, ...outcome }];
  const settled = applyCommand(begun, { kind: 'settle', save: 'save', outcomes });
  return applyCommand(settled, { kind: 'end', save: 'save' });
};
const expects = (edits: StagedEdits) =>
  changes(edits).map((change) => change.kind !== 'insert' && change.expected);

test('a save expects the value before the first edit, also if the page was read again before the second', () => {
  const edits = [edit('a', 'Terra', 'Earth'), edit('b', 'Gaia', 'theirs')].reduce(stage, noEdits);
  expect(expects(edits)).toEqual([{ name: 'Earth' }]);
  // Undo of the second edit, and then of the first.
  expect(expects(undo(edits, 'b'))).toEqual([{ name: 'Earth' }]);
  expect(changes(undo(undo(edits, 'b'), 'a'))).toEqual([]);
  // An edit back to the present value ends the edit. The next one starts from the value that was there then.
  const again = [edit('c', 'theirs', 'theirs'), edit('d', 'Tellus', 'theirs')].reduce(stage, edits);
  expect(expects(again)).toEqual([{ name: 'theirs' }]);
});

test('after a conflict the edit is still staged, with the values of both sides', () => {
  const edits = saved(stage(noEdits, edit('a', 'mine', 'Earth')), {
    status: 'conflict',
    theirs: { name: 'theirs' },
  });
  expect(listedChanges(edits)).toMatchObject([
    { row, cells: [{ column: 'name', from: 'Earth', to: 'mine' }], conflict: { theirs: { name: 'theirs' } } },
  ]);
  expect(expects(edits)).toEqual([{ name: 'Earth' }]);
});

test('an edit that is kept expects what the other side wrote, and undo brings the older expectation back', () => {
  const conflict = saved(stage(noEdits, edit('a', 'mine', 'Earth')), {
    status: 'conflict',
    theirs: { name: 'theirs' },
  });
  const kept = stage(conflict, edit('k', 'mine', 'theirs', { isAnswer: true }));
  expect([expects(kept), kept.failures]).toEqual([[{ name: 'theirs' }], {}]);
  expect(expects(undo(kept, 'k'))).toEqual([{ name: 'Earth' }]);
  expect(expects(redo(undo(kept, 'k'), 'k'))).toEqual([{ name: 'theirs' }]);
  const third = saved(kept, { status: 'conflict', theirs: { name: 'third' } });
  expect(third.failures[row]?.conflict).toEqual({ theirs: { name: 'third' } });
});

test('an edit that gives way is no longer staged, and undo brings it back', () => {
  const conflict = saved(stage(noEdits, edit('a', 'mine', 'Earth')), {
    status: 'conflict',
    theirs: { name: 'theirs' },
  });
  const taken = stage(conflict, edit('t', 'theirs', 'theirs'));
  expect(changes(taken)).toEqual([]);
  expect(changes(undo(taken, 't'))).toMatchObject([
    { values: { name: 'mine' }, expected: { name: 'Earth' } },
  ]);
});

test('a deletion expects what was shown of the row, or what the conflict showed', () => {
  const remove = (id: string, seen: Record<string, Cell>): Step => {
    return { id, kind: 'delete', rows: [{ row, key: earth, seen }] };
  };
  const edits = stage(noEdits, remove('d', { name: 'Earth', mass: 1 }));
  expect(expects(edits)).toEqual([{ name: 'Earth', mass: 1 }]);
  const conflict = saved(edits, { status: 'conflict', theirs: { name: 'theirs', mass: 1 } });
  expect(listedChanges(conflict)).toMatchObject([{ kind: 'delete', seen: { name: 'Earth', mass: 1 } }]);
  expect(expects(stage(conflict, remove('k', { name: 'theirs', mass: 1 })))).toEqual([
    { name: 'theirs', mass: 1 },
  ]);
});
