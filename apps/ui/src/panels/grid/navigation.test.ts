import { expect, test } from 'vitest';
import { clampSelection, isSingle, type Motion, moveSelection, rangeOf, single } from './navigation.ts';

const bounds = { rows: 100, columns: 5, pageRows: 20 };
const at = (row: number, column: number) => single({ row, column });

test.each<[Motion, [number, number]]>([
  ['up', [49, 2]],
  ['down', [51, 2]],
  ['left', [50, 1]],
  ['right', [50, 3]],
  ['top', [0, 2]],
  ['bottom', [99, 2]],
  ['rowStart', [50, 0]],
  ['rowEnd', [50, 4]],
  ['first', [0, 0]],
  ['last', [99, 4]],
  ['pageUp', [30, 2]],
  ['pageDown', [70, 2]],
])('%s moves the active cell', (motion, [row, column]) => {
  expect(moveSelection(at(50, 2), motion, bounds)).toEqual(at(row, column));
});

test('the selection stops at the edges', () => {
  expect(moveSelection(at(99, 4), 'down', bounds)).toEqual(at(99, 4));
  expect(moveSelection(at(99, 4), 'right', bounds)).toEqual(at(99, 4));
  expect(moveSelection(at(99, 4), 'pageDown', bounds)).toEqual(at(99, 4));
  expect(moveSelection(at(3, 0), 'pageUp', bounds)).toEqual(at(0, 0));
});

test('up from the first row enters the header, and down leaves it', () => {
  expect(moveSelection(at(0, 2), 'up', bounds)).toEqual(at(-1, 2));
  expect(moveSelection(at(-1, 2), 'up', bounds)).toEqual(at(-1, 2));
  expect(moveSelection(at(-1, 2), 'pageUp', bounds)).toEqual(at(-1, 2));
  expect(moveSelection(at(-1, 2), 'right', bounds)).toEqual(at(-1, 3));
  expect(moveSelection(at(-1, 2), 'down', bounds)).toEqual(at(0, 2));
});

test('in an empty grid, only the header can be selected', () => {
  const empty = { rows: 0, columns: 3, pageRows: 10 };
  expect(moveSelection(at(-1, 0), 'down', empty)).toEqual(at(-1, 0));
  expect(clampSelection(at(7, 2), empty)).toEqual(at(-1, 2));
});

test('extending keeps the active cell, and stops at the first row', () => {
  const right = moveSelection(at(1, 1), 'right', bounds, true);
  const up = moveSelection(moveSelection(right, 'up', bounds, true), 'up', bounds, true);
  expect(up).toEqual({ active: { row: 1, column: 1 }, head: { row: 0, column: 2 } });
  expect(rangeOf(up)).toEqual({ top: 0, bottom: 1, left: 1, right: 2 });
  expect(isSingle(up)).toBe(false);
});

test('a plain movement continues from the active cell and drops the range', () => {
  const range = { active: { row: 1, column: 1 }, head: { row: 9, column: 4 } };
  expect(moveSelection(range, 'down', bounds)).toEqual(at(2, 1));
});

test('when the page becomes smaller, the selection moves inside the page', () => {
  const range = { active: { row: 80, column: 1 }, head: { row: 90, column: 4 } };
  expect(clampSelection(range, { rows: 10, columns: 3, pageRows: 5 })).toEqual({
    active: { row: 9, column: 1 },
    head: { row: 9, column: 2 },
  });
});
