import type { Filter } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { entriesOf, storedEntries } from './filter-entries.ts';
import { filterText } from './filter-text.ts';

const year: Filter = { column: 'year', operator: 'greater_than', value: '1950' };
const title: Filter = { column: 'title', operator: 'contains', value: 'moon' };
const crew: Filter = { column: 'crew', operator: 'is_null' };

test('a filter that is switched off keeps its position and does not filter', () => {
  const entries = [
    { filter: year, off: false },
    { filter: title, off: true },
    { filter: crew, off: false },
  ];
  const stored = storedEntries(entries);
  expect(stored.filters).toEqual([year, crew]);
  expect(entriesOf(stored.filters, stored.filtersOff)).toEqual(entries);
});

test('a filter that is active again is listed once', () => {
  expect(entriesOf([title, year], [{ at: 0, filter: title }])).toEqual([
    { filter: title, off: false },
    { filter: year, off: false },
  ]);
});

test.each([
  [year, 'year > 1950'],
  [title, 'title contains moon'],
  [crew, 'crew is NULL'],
  [{ column: 'mass', operator: 'between', value: ['1', '2'] }, 'mass between 1 and 2'],
  [{ column: 'kind', operator: 'in_list', value: 'a, "b, c"' }, 'kind in a, "b, c"'],
  [{ column: 'kind', operator: 'equals', value: '' }, 'kind = “”'],
] satisfies [Filter, string][])('%j is shown as %s', (filter, text) => {
  expect(filterText(filter)).toBe(text);
});
