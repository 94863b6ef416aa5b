import { expect, test } from 'vitest';
import { describeCollection } from './describe.ts';
import type { Collection, Property } from './schema.ts';

function property(name: string, more: Partial<Property> = {}): Property {
  return {
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
    ...more,
  };
}

test.each([
  [null, true],
  ['img2vec-neural', true],
  ['text2vec-openai', false],
])('vectorizer %s: whether a note says that hybrid search needs a vector: %s', (vectorizer, needsVector) => {
  const collection = {
    name: 'Book',
    properties: [property('title', { searchable: true, tokenization: 'word' })],
    vectors: [{ name: null, vectorizer, sources: [] }],
    definition: {},
  } as unknown as Collection;
  const { notes } = describeCollection({ collection, hasNot: true, hasSearchOperator: true });
  expect(notes.some((note) => note.startsWith('Hybrid search needs a vector'))).toBe(needsVector);
});

test('a property named uuid or vector has another column name, and the columns of its index use that name', () => {
  const collection = {
    name: 'Book',
    properties: ['title', 'uuid', 'vector'].map((name) => property(name)),
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
