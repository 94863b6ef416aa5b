import { expect, test } from 'vitest';
import { termsOf } from './tokens.ts';

test('text with the tokenization "field" is trimmed as Go trims it, also if it has very many spaces inside', () => {
  expect(termsOf('\u0085\u3000 a b\ufeff \n', 'field')).toEqual(['a b\ufeff']);
  expect(termsOf(' \t ', 'field')).toEqual(['']);
  const inside = `a${' '.repeat(400_000)}b`;
  expect(termsOf(` ${inside} `, 'field')).toEqual([inside]);
});
