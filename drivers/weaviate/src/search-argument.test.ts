import type { SearchRequest } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import type { Collection } from './schema.ts';
import { searchArgument } from './search-argument.ts';
import { rerankField } from './search-rerank.ts';

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
    expect(() => searchArgument(request, contextOf(vectorizer))).toThrow('Hybrid search needs a vector here');
    expect(searchArgument({ ...request, vector: [1] }, contextOf(vectorizer))).toMatchObject({
      hybrid: { query: 'a', vector: [1] },
    });
  },
);

test('a search with groups and a reranker is refused', () => {
  const context = contextOf('text2vec-x');
  const reranked = { ...request, rerank: { column: 'title' } };
  expect(rerankField(reranked, context)).toBe('rerank(property: "title", query: "a") { score }');
  const grouped = { ...reranked, groupBy: { column: 'title', groups: 2, rowsPerGroup: 2 } };
  expect(() => rerankField(grouped, context)).toThrow('A search with groups cannot be reranked');
});
