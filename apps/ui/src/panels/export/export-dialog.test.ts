import { expect, test } from 'vitest';
import { firstChoice, lateLabel } from './export-dialog.tsx';

const search = { selected: 0, shown: 3, isSearch: true, filters: 0, sortedBy: [] };

test('the results of a search are the first choice only if there are some', () => {
  expect(firstChoice(search)).toBe('page');
  expect(firstChoice({ ...search, shown: 0 })).toBe('all');
});

test('columns that load late are called vectors only if all of them are', () => {
  const vector = { name: 'title_vector', type: 'vector' } as const;
  expect(lateLabel([vector])).toBe('Include title_vector');
  expect(lateLabel([vector, vector])).toBe('Include vectors');
  expect(lateLabel([vector, { name: 'body', type: 'text' }])).toBe('Include large columns');
});
