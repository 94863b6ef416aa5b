import { expect, test } from 'vitest';
import type { Collection } from './schema.ts';
import { searchesOf } from './searches.ts';

test.each([
  ['text2vec-openai', true],
  ['multi2vec-clip', true],
  ['text2colbert-jinaai', true],
  ['text2multivec-jinaai', true],
  ['multi2multivec-weaviate', true],
  ['img2vec-neural', false],
  ['ref2vec-centroid', false],
  [null, false],
])('a collection with the vectorizer %s can be searched by text: %s', (vectorizer, canSearch) => {
  const vectors = [{ name: null, vectorizer, sources: [] }];
  const collection = { properties: [], vectors, definition: {} } as unknown as Collection;
  const { modes } = searchesOf({ collection, hasNot: true, hasSearchOperator: true });
  expect(modes.find(({ mode }) => mode === 'near_text')?.refusal === undefined).toBe(canSearch);
});
