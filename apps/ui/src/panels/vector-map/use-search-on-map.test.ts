import { expect, test } from 'vitest';
import { mapSearchMode } from './use-search-on-map.ts';

const nearText = { mode: 'near_text' as const };
const keyword = { mode: 'keyword' as const };
const refused = { refusal: 'No text property is searchable' };

test('a map is searched by meaning, or else by words', () => {
  expect(mapSearchMode({ modes: [nearText, keyword], targetVectors: [] })).toBe('near_text');
  expect(mapSearchMode({ modes: [{ ...nearText, ...refused }, keyword], targetVectors: [] })).toBe('keyword');
});

test('a vector that no module makes from text is not searched by meaning', () => {
  const support = { modes: [nearText, keyword], targetVectors: ['own', 'made'], broughtVectors: ['own'] };
  expect(mapSearchMode(support, 'own')).toBe('keyword');
  expect(mapSearchMode(support, 'made')).toBe('near_text');
});

test('a table that refuses both kinds of search has no search on its map', () => {
  const modes = [
    { ...nearText, ...refused },
    { ...keyword, ...refused },
  ];
  expect(mapSearchMode({ modes, targetVectors: [] })).toBeUndefined();
  expect(mapSearchMode(undefined)).toBeUndefined();
});
