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

test('a text or a vector that cannot be compared with a target is refused before it is sent', () => {
  const { collection, ...context } = contextOf(null);
  const multivector = { enabled: true };
  const named = {
    ...collection,
    vectors: [
      { name: 'made', vectorizer: 'text2vec-x', sources: [] },
      { name: 'own', vectorizer: null, sources: [] },
      { name: 'tokens', vectorizer: null, sources: [] },
    ],
    definition: { vectorConfig: { made: {}, own: {}, tokens: { vectorIndexConfig: { multivector } } } },
  } as unknown as Collection;
  const find = (more: Partial<SearchRequest>) =>
    searchOf({ ...request, ...more }, { ...context, collection: named });
  const toText = (targetVector: string) => () => find({ mode: 'near_text', targetVector });
  expect(toText('made')()).toMatchObject({ kind: 'nearText' });
  expect(toText('own')).toThrow('No module turns text into the vector own');
  const both = { join: 'minimum', vectors: [{ name: 'made' }, { name: 'own' }] };
  expect(() => find({ mode: 'near_text', targets: both })).toThrow(
    'No module turns text into the vector own',
  );
  expect(() => find({ targets: both })).toThrow('Hybrid search needs a vector here');
  expect(find({ targetVector: 'own', alpha: 0 })).toMatchObject({ kind: 'hybrid' });
  const toVector = (targetVector: string) => () => find({ mode: 'near_vector', targetVector, vector: [1] });
  expect(toVector('own')()).toMatchObject({ kind: 'nearVector' });
  expect(toVector('tokens')).toThrow('Each object has a list of vectors in tokens');
  expect(find({ mode: 'near_object', objectId: 'a', targetVector: 'tokens' })).toMatchObject({
    kind: 'nearObject',
  });
});

test('a search with groups and a reranker is refused', () => {
  const context = contextOf('text2vec-x');
  const reranked = { ...request, rerank: { column: 'title' } };
  expect(rerankOf(reranked, context)).toEqual({ property: 'title', query: 'a' });
  const grouped = { ...reranked, groupBy: { column: 'title', groups: 2, rowsPerGroup: 2 } };
  expect(() => rerankOf(grouped, context)).toThrow('A search with groups cannot be reranked');
});
