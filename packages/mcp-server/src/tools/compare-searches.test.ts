import type { Core, DataAccess } from '@trestle/core';
import { rowSetFromCells, type SearchRequest } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { compareSearches } from './compare-searches.ts';

async function compared(request: Partial<SearchRequest>): Promise<string[]> {
  const searched: string[] = [];
  const column = { name: 'title', type: 'text' as const, nativeType: 'text', inKey: false };
  const data = {
    describe: async () => ({ columns: [column] }),
    async search(_access: DataAccess, { mode }: SearchRequest) {
      searched.push(mode);
      return { rows: rowSetFromCells([column], [['Moon']]) };
    },
  };
  const asked = { table: 'Book', filters: [], match: 'all' as const, limit: 3, ...request };
  const { rows } = await compareSearches({ data } as unknown as Core, {} as DataAccess, asked);
  expect(rows.columns.map(({ name }) => name)).toEqual([...searched, 'title']);
  return searched;
}

test('a search by a vector alone is not compared with searches that need a text', async () => {
  expect(await compared({ vector: [1, 2] })).toEqual(['near_vector']);
  expect(await compared({ text: 'moon' })).toEqual(['keyword', 'near_text', 'hybrid']);
  expect(await compared({ text: 'moon', vector: [1, 2] })).toEqual([
    'keyword',
    'near_text',
    'near_vector',
    'hybrid',
  ]);
});
