import { expect, test } from 'vitest';
import type { CollectionReader } from './collection-reader.ts';
import { groupedSearch } from './search-groups.ts';

test('an object in two groups that is deleted between the reads counts only where it was found', async () => {
  const group = (value: string, ids: string[]) => ({
    value,
    hits: ids.map((id) => ({ id, distance: 0.1 })),
  });
  const found = [group('one', ['a', 'b']), group('none', []), group('two', ['a', 'c'])];
  const reader = {
    findGroups: async () => found,
    // `a` is there at the first read, and deleted before the second.
    readAll: async (ids: string[]) =>
      ids.map((id, index) => (id === 'a' && index > 0 ? null : { id, properties: {} })),
  } as unknown as CollectionReader;
  const { rows, groups } = await groupedSearch(reader, {} as never, { columns: [], measure: 'distance' });
  expect(rows.map(({ object }) => object.id)).toEqual(['a', 'b', 'c']);
  expect(groups).toEqual([
    { value: 'one', rows: 2 },
    { value: 'none', rows: 0 },
    { value: 'two', rows: 1 },
  ]);
});
