import { expect, test } from 'vitest';
import { describeCollection } from './describe.ts';
import type { Collection, Property } from './schema.ts';

test('the index of a property named uuid or vector names the column of the property, not that of the object', () => {
  const property = (name: string): Property => ({
    name,
    nativeType: 'text',
    elementType: 'text',
    isArray: false,
    nested: [],
    references: [],
    tokenization: null,
    filterable: true,
    searchable: false,
    rangeable: false,
    description: '',
  });
  const collection = {
    name: 'Book',
    properties: ['title', 'uuid', 'vector'].map(property),
    vectors: [{ name: null, vectorizer: null, sources: [] }],
    definition: {},
  } as unknown as Collection;
  const { columns, indexes } = describeCollection({ collection, hasNot: true, hasSearchOperator: true });
  expect(indexes.map((index) => [index.name, index.columns])).toEqual([
    ['title', ['title']],
    ['uuid', ['uuid (property)']],
    ['vector', ['vector (property)']],
  ]);
  const names = columns.map(({ name }) => name);
  expect(names).toEqual(['uuid', 'title', 'uuid (property)', 'vector (property)', 'vector']);
});
