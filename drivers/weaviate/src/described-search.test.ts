import type { SearchRequest } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { rerankOf, searchOf } from './described-search.ts';
import type { Collection } from './schema.ts';

const contextOf = (vectorizer: string | null) => ({
  collection: {
    name: 'Book',
    properties: [{ name: 'title', elementType: 'text', searchable: true, nested: [], references: [] }],
    vectors: [{ name: null, vectorizer, sources: [] }],
    definition: { moduleConfig: { 'reranker-x': {} } },
  } as unknown as Collection,
  hasNot: true,
  hasSearchOperator: true,
});
const request: SearchRequest = {
  table: 'Book',
  filters: [],
  match: 'all',
  limit: 5,
  mode: 'hybrid',
  text: 'a',
};

test.each([null, 'img2vec-neural', 'ref2vec-centroid'])(
  'a hybrid search without a vector is refused if the vectorizer is %s',
  (vectorizer) => {
    expect(() => searchOf(request, contextOf(vectorizer))).toThrow('Hybrid search needs a vector here');
    expect(searchOf({ ...request, vector: [1] }, contextOf(vectorizer))).toMatchObject({
      kind: 'hybrid',
      query: 'a',
      vector: [1],
    });
  },
);

test('a search with groups and a reranker is refused', () => {
  const context = contextOf('text2vec-x');
  const reranked = { ...request, rerank: { column: 'title' } };
  expect(rerankOf(reranked, context)).toEqual({ property: 'title', query: 'a' });
  const grouped = { ...reranked, groupBy: { column: 'title', groups: 2, rowsPerGroup: 2 } };
  expect(() => rerankOf(grouped, context)).toThrow('A search with groups cannot be reranked');
});
