import type { TableDescription } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { vectorChoices } from './vector-choice.ts';

test('a named vector has its name as target, also beside a vector without a name', () => {
  const columns = ['vector', 'vector: a'].map((name) => ({ name, type: 'vector' }));
  const table = { columns, searches: { modes: [], targetVectors: ['a'] } } as unknown as TableDescription;
  expect(vectorChoices(table)).toEqual([
    { column: 'vector', distance: 'cosine' },
    { column: 'vector: a', distance: 'cosine', target: 'a' },
  ]);
});
