import type { TableDescription } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { vectorColumns, vectorOf } from './map-columns.ts';

const described = {
  name: 'notes',
  key: ['id'],
  columns: [
    { name: 'id', type: 'int' },
    { name: 'title', type: 'vector' },
    { name: 'body', type: 'text', vector: { distance: 'cosine' } },
  ],
} as unknown as TableDescription;

test('a table without a key has no vector columns for a map', () => {
  expect(vectorColumns(described).map(({ name }) => name)).toEqual(['title', 'body']);
  expect(vectorColumns({ ...described, key: [] })).toEqual([]);
});

test('the map of a vector that was dropped becomes the map of the first vector', () => {
  const vectors = vectorColumns(described);
  expect(vectorOf(vectors, 'body')?.name).toBe('body');
  expect(vectorOf(vectors, 'dropped')?.name).toBe('title');
  expect(vectorOf([], 'dropped')).toBeUndefined();
});
