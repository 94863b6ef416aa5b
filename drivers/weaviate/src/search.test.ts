import type { SearchRequest } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import type { CollectionReader } from './collection-reader.ts';
import type { Collection } from './schema.ts';
import { search } from './search.ts';

const collection = {
  name: 'Book',
  properties: [{ name: 'title', elementType: 'text', searchable: true, nested: [], references: [] }],
  vectors: [{ name: null, vectorizer: 'text2vec-x', sources: [] }],
  definition: { moduleConfig: { 'reranker-x': {} } },
} as unknown as Collection;

const reader = {
  collection,
  deep: async (page: { limit: number }, work: (limit: number) => Promise<unknown>) => ({
    result: await work(page.limit),
    limit: page.limit,
  }),
  find: async () => [
    { object: { id: 'a', properties: { title: 'Moon' } }, distance: 0.25, rerankScore: 0.75 },
  ],
} as unknown as CollectionReader;

const request: SearchRequest = {
  table: 'Book',
  filters: [],
  match: 'all',
  limit: 5,
  mode: 'near_text',
  text: 'a',
  columns: ['title'],
};

test('the score of a reranker is not called a distance', async () => {
  const context = { collection, hasNot: true, hasSearchOperator: true };
  const measureOf = async (asked: SearchRequest) => {
    const { rows } = await search(reader, asked, context);
    const at = rows.columns.findIndex(({ isMeasure }) => isMeasure);
    const { nativeType, isDistance } = rows.columns[at] ?? {};
    return [nativeType, isDistance, rows.values[at]];
  };
  expect(await measureOf(request)).toEqual(['distance', true, { kind: 'cells', cells: [0.25] }]);
  expect(await measureOf({ ...request, rerank: { column: 'title' } })).toEqual([
    'rerank score',
    false,
    { kind: 'cells', cells: [0.75] },
  ]);
});
