import { expect, test } from 'vitest';
import { onlyIn, overlap, rankLines } from './ranks.ts';

const [words, both, meaning] = [
  ['a', 'b', 'c'],
  ['b', 'a', 'd'],
  ['d', 'e', 'b'],
];

test('a line connects the ranks of a row, and has one end if only one of the two columns has the row', () => {
  expect(rankLines(words, both)).toEqual([
    { key: 'a', from: 0, to: 1 },
    { key: 'b', from: 1, to: 0 },
    { key: 'c', from: 2, to: null },
    { key: 'd', from: null, to: 2 },
  ]);
});

test('a row in several groups of the right column is connected at its best rank', () => {
  expect(rankLines(['a'], ['b', 'a', 'a'])).toEqual([
    { key: 'a', from: 0, to: 1 },
    { key: 'b', from: null, to: 0 },
  ]);
});

test('the overlap counts the rows that both columns have among their first k', () => {
  expect(overlap(words, both, 3)).toEqual({ shared: 2, of: 3 });
  expect(overlap(words, both, 1)).toEqual({ shared: 0, of: 1 });
  expect(overlap([], both, 5)).toEqual({ shared: 0, of: 3 });
});

test('the overlap counts a row in several groups once', () => {
  expect(overlap(['a', 'b'], ['a', 'a', 'a'], 3)).toEqual({ shared: 1, of: 2 });
});

test('a row is unique to a column if no other column has it', () => {
  expect(onlyIn([words, both, meaning]).map((keys) => [...keys])).toEqual([['c'], [], ['e']]);
  expect(onlyIn([['a'], []]).map((keys) => [...keys])).toEqual([['a'], []]);
});

test('no row is unique to a column while no other column has an answer', () => {
  expect(onlyIn([['a'], null, null]).map((keys) => [...keys])).toEqual([[], [], []]);
  expect(onlyIn([['a', 'b'], ['b'], null]).map((keys) => [...keys])).toEqual([['a'], [], []]);
});
