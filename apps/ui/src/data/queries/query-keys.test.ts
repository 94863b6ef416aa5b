import { expect, test } from 'vitest';
import { isOfTable, queryKeys } from './query-keys.ts';

test('the keys of a table’s rows and columns belong to the table', () => {
  expect(isOfTable(queryKeys.rows('c', 'song', 'page', 1), 'c', 'song')).toBe(true);
  expect(isOfTable(queryKeys.describe('c', 'song'), 'c', 'song')).toBe(true);
});

test.each([
  ['the rows of another table in a partition named song', queryKeys.rows('c', 'album', 'count', 'song')],
  ['a table named table', queryKeys.describe('c', 'table')],
  ['the list of tables', queryKeys.tables('c')],
  ['the history', queryKeys.history('c', 'song')],
  ['another connection', queryKeys.rows('d', 'song')],
])('the key of %s does not belong to the table song', (_, key) => {
  expect(isOfTable(key, 'c', 'song')).toBe(false);
});

test.each(['tables', 'editor', 'table'])('a table named %s is not confused with a part of a key', (name) => {
  expect(isOfTable(queryKeys.tables('c'), 'c', name)).toBe(false);
  expect(isOfTable(queryKeys.editorSchema('c'), 'c', name)).toBe(false);
  expect(isOfTable(queryKeys.describe('c', 'other'), 'c', name)).toBe(false);
});
