import { expect, test } from 'vitest';
import { referenceNames } from './targets.ts';

const value = { beacon: 'weaviate://localhost/A/1' };
const gone = { beacon: 'weaviate://localhost/A/2' };
const targets = new Map([
  [JSON.stringify(value), { table: 'A', key: { uuid: '1' }, title: 'First', value }],
  [JSON.stringify(gone), { table: 'A', key: { uuid: '2' }, title: null, value: gone }],
]);

test('a cell shows the titles of its targets, and marks a target that is gone', () => {
  expect(referenceNames([value, gone], targets)).toEqual(['First', `${JSON.stringify(gone)} (gone)`]);
  expect(referenceNames([value], new Map())).toEqual([JSON.stringify(value)]);
});

test('a target with an empty title is not called gone', () => {
  const untitled = { table: 'A', key: { uuid: '1' }, title: '', value };
  expect(referenceNames([value], new Map([[JSON.stringify(value), untitled]]))).toEqual([
    JSON.stringify(value),
  ]);
});

test('a cell without targets has no titles', () => {
  expect(referenceNames(null, targets)).toBeNull();
  expect(referenceNames([], targets)).toBeNull();
});
