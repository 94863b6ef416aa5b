import { expect, test } from 'vitest';
import { isOfTable, queryKeys } from './query-keys.ts';

test('the rows and the columns of a table belong to it', () => {
  expect(isOfTable(queryKeys.rows('c', 'song', 'page', 1), 'c', 'song')).toBe(true);
  expect(isOfTable(queryKeys.describe('c', 'song'), 'c', 'song')).toBe(true);
});

test.each([
  ['another table whose tenant has its name', queryKeys.rows('c', 'album', 'count', 'song')],
  ['a table named table', queryKeys.describe('c', 'table')],
  ['the list of tables', queryKeys.tables('c')],
  ['the history', queryKeys.history('c', 'song')],
  ['another connection', queryKeys.rows('d', 'song')],
])('%s does not', (_, key) => {
  expect(isOfTable(key, 'c', 'song')).toBe(false);
});

test.each(['tables', 'editor', 'table'])('a table named %s does not own the list of tables', (name) => {
  expect(isOfTable(queryKeys.tables('c'), 'c', name)).toBe(false);
  expect(isOfTable(queryKeys.editorSchema('c'), 'c', name)).toBe(false);
  expect(isOfTable(queryKeys.describe('c', 'other'), 'c', name)).toBe(false);
});
