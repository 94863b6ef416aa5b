import { expect, test } from 'vitest';
import { fewColumns, fewLines } from './few-at-once.ts';

const range = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, step) => first + step);

test('a grid that has drawn nothing yet draws all wanted lines at once', () => {
  expect(fewLines(range(0, 39), new Set(), 10, 0)).toEqual(range(0, 39));
});

test('after a jump the lines come in parts, and the active line is in the first part', () => {
  const first = fewLines(range(100, 119), new Set(range(0, 19)), 8, 119);
  expect(first).toEqual([...range(100, 106), 119]);
  const second = fewLines(range(100, 119), new Set(first), 8, 119);
  expect(second).toEqual([...range(100, 114), 119]);
  expect(fewLines(range(100, 119), new Set(second), 8, 119)).toEqual(range(100, 119));
});

test('wanted lines that are drawn already stay, and a few new lines are drawn at once', () => {
  expect(fewLines(range(5, 24), new Set(range(0, 19)), 8, 0)).toEqual(range(5, 24));
});

test('columns are drawn in parts and without a gap; a grid without drawn columns gets all of them at once', () => {
  expect(fewColumns({ first: 0, last: 9 }, { first: 0, last: -1 }, 3)).toEqual({ first: 0, last: 9 });
  expect(fewColumns({ first: 5, last: 14 }, { first: 0, last: 9 }, 3)).toEqual({ first: 5, last: 12 });
  expect(fewColumns({ first: 2, last: 9 }, { first: 5, last: 14 }, 2)).toEqual({ first: 3, last: 9 });
  expect(fewColumns({ first: 20, last: 29 }, { first: 0, last: 9 }, 3)).toEqual({ first: 20, last: 22 });
});
