import type { Design } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import {
  isShown,
  listed,
  problemsAt,
  withItemField,
  withMovedItem,
  withNewItem,
  withoutItem,
} from './design-edits.ts';

const item = (name: string) => ({ fields: { name } });
const design: Design = {
  name: 'planets',
  fields: {},
  parts: { columns: [{ ...item('a'), items: [item('inner')] }, item('b')], indexes: [item('i')] },
};
const names = (one: Design) =>
  listed(one.parts.columns).map(({ item: { fields }, path }) => [fields.name, path]);

test('items are added, changed, moved and removed at any level, and the design is not changed in place', () => {
  const before = structuredClone(design);
  expect(names(design)).toEqual([
    ['a', [0]],
    ['inner', [0, 0]],
    ['b', [1]],
  ]);
  const { design: grown, path } = withNewItem(design, 'columns', [0]);
  expect(path).toEqual([0, 1]);
  const named = withItemField(grown, 'columns', path, 'name', 'second');
  expect(names(named)).toEqual([
    ['a', [0]],
    ['inner', [0, 0]],
    ['second', [0, 1]],
    ['b', [1]],
  ]);
  const moved = withMovedItem(named, 'columns', [0, 1], -1)!;
  expect(moved.path).toEqual([0, 0]);
  expect(names(moved.design)[1]).toEqual(['second', [0, 0]]);
  expect(withMovedItem(named, 'columns', [1], 1)).toBe(null);
  expect(names(withoutItem(named, 'columns', [0]))).toEqual([['b', [0]]]);
  expect(withNewItem({ ...design, parts: {} }, 'columns').design.parts).toEqual({
    columns: [{ fields: { name: '' } }],
  });
  expect(design).toEqual(before);
});

test('a field is shown by the defaults of other fields; a problem is at its item', () => {
  const fields = [{ id: 'type', label: '', type: 'text', default: 'text', later: 'now' } as const];
  const visibleWhen = [{ field: 'type', oneOf: ['text'] }];
  expect(isShown({ visibleWhen }, {}, fields)).toBe(true);
  expect(isShown({ visibleWhen }, { type: 'int' }, fields)).toBe(false);
  const problems = [
    { problem: 'x', part: 'columns', item: [0, 1] },
    { problem: 'y', field: 'name' },
  ];
  expect(problemsAt(problems, 'columns', [0, 1])).toEqual([problems[0]]);
  expect(problemsAt(problems, 'columns', [0])).toEqual([]);
  expect(problemsAt(problems)).toEqual([problems[1]]);
});
