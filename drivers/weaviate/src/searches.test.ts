import type { SearchRequest } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import type { Collection } from './schema.ts';
import { callsModule, searchesOf } from './searches.ts';

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

test.each<[Partial<SearchRequest>, boolean]>([
  [{ mode: 'near_text' }, true],
  [{ mode: 'hybrid' }, true],
  [{ mode: 'hybrid', vector: [] }, true],
  [{ mode: 'hybrid', vector: [1] }, false],
  [{ mode: 'hybrid', alpha: 0 }, false],
  [{ mode: 'keyword' }, false],
  [{ mode: 'keyword', rerank: { column: 'title' } }, true],
  [{ mode: 'near_vector', vector: [1] }, false],
])('whether the search %o calls a module: %s', (search, calls) => {
  expect(callsModule(search as SearchRequest)).toBe(calls);
});
