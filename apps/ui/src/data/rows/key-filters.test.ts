import { expect, test } from 'vitest';
import { keyFilters } from './key-filters.ts';

test('rows are selected by a list if only one column of their key varies', () => {
  expect(keyFilters([])).toEqual([]);
  expect(keyFilters([{ id: 0 }])).toEqual([{ column: 'id', operator: 'equals', value: 0 }]);
  expect(keyFilters([{ on: true, hash: Uint8Array.of(1) }])).toEqual([
    { column: 'on', operator: 'equals', value: true },
    { column: 'hash', operator: 'equals', value: 'AQ==' },
  ]);
  expect(keyFilters([{ id: 1 }, { id: 2n ** 62n }])).toEqual([
    { column: 'id', operator: 'in_list', value: [1, '4611686018427387904'] },
  ]);
  expect(
    keyFilters([
      { shelf: 'a', place: 1 },
      { shelf: 'a', place: 2 },
    ]),
  ).toEqual([
    { column: 'shelf', operator: 'equals', value: 'a' },
    { column: 'place', operator: 'in_list', value: [1, 2] },
  ]);
});

test('there are no filters if they would also select other rows', () => {
  expect(
    keyFilters([
      { shelf: 'a', place: 1 },
      { shelf: 'b', place: 2 },
    ]),
  ).toBeNull();
});
