import { expect, it } from 'vitest';
import { knownWords } from './words.ts';

const table = new Set(['x-ray', 'women', 's', 'dali', 'solar', 'wind', 'the', '11']);
const known = (text: string) => knownWords(text, (word) => table.has(word));

it('keeps a known compound whole and splits an unknown one', () => {
  expect(known('The X-ray of solar-wind')).toEqual(['the', 'x-ray', 'solar', 'wind']);
  expect(known('women’s')).toEqual(['women', 's']);
});

it('finds a word with accents under its plain spelling', () => {
  expect(known('Dalí')).toEqual(['dali']);
  expect(known('Dali\u0301')).toEqual(['dali']);
});

it('leaves out numbers and unknown words', () => {
  expect(known('Apollo 11, 😂')).toEqual([]);
});
