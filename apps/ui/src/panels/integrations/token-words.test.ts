import { expect, test } from 'vitest';
import { reachWords } from './token-words.ts';

test('a connection counts as deleted only if the list of connections is loaded', () => {
  expect(reachWords(null, [])).toBe('Every connection');
  expect(reachWords(['a', 'b'], [{ id: 'a', name: 'Library' }])).toBe('Only Library, deleted connection');
  expect(reachWords(['a', 'b'], undefined)).toBe('Only 2 connections');
});
