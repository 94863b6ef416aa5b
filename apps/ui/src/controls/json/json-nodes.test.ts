import { expect, test } from 'vitest';
import { childrenOf, startsOpen, summaryOf } from './json-nodes.ts';

const vector = Array.from({ length: 1536 }, (_, index) => index / 10);

test('lists and objects have children, scalars none', () => {
  expect(childrenOf([1])).toEqual([{ name: null, value: 1 }]);
  expect(childrenOf({ a: null })).toEqual([{ name: 'a', value: null }]);
  expect(childrenOf('x')).toBeNull();
  expect(childrenOf(null)).toBeNull();
});

test('a folded value shows a summary of its content', () => {
  expect(summaryOf(vector)).toBe('0, 0.1, … 1,536 numbers');
  expect(summaryOf(['a'])).toBe('1 item');
  expect(summaryOf({ a: 1, b: 2 })).toBe('a, b');
  expect(summaryOf({ a: 1, b: 2, c: 3, d: 4 })).toBe('a, b, c, … 4 members');
});

test('a vector starts folded, the object around it open', () => {
  expect(startsOpen(vector, 1)).toBe(false);
  expect(startsOpen({ vector }, 1)).toBe(true);
  expect(startsOpen([{}], 2)).toBe(true);
});
