import type { Core, DataAccess } from '@trestle/core';
import { rowSetFromCells, type SearchRequest, type SearchSupport } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { compareSearches } from './compare-searches.ts';

async function compared(request: Partial<SearchRequest>, searches?: SearchSupport): Promise<string[]> {
  const searched: string[] = [];
  const column = { name: 'title', type: 'text' as const, nativeType: 'text', inKey: false };
  const data = {
    describe: async () => ({ columns: [column], searches }),
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

test('near_text is left out if no module makes the target vector from text', async () => {
  const support = { modes: [], targetVectors: ['made', 'own'], broughtVectors: ['own'] };
  const request = { text: 'moon', vector: [1, 2] };
  expect(await compared({ ...request, targetVector: 'own' }, support)).toEqual([
    'keyword',
    'near_vector',
    'hybrid',
  ]);
  expect(await compared({ ...request, targetVector: 'made' }, support)).toContain('near_text');
});

test('a note that the driver gives with each search is in the answer once', async () => {
  const rows = rowSetFromCells([], []);
  const core = {
    data: {
      describe: async () => ({ name: 't', key: [], columns: [] }),
      search: async () => ({ rows, note: 'Paging ends at row 100.' }),
    },
  } as unknown as Core;
  const request = { table: 't', filters: [], match: 'all' as const, limit: 500, text: 'x' };
  const { note, remarks } = await compareSearches(core, {} as DataAccess, request);
  expect(String(note)).toBe('The numbers are ranks; 0 of 0 rows are in every list. hybrid has alpha 0.75.');
  expect(remarks).toEqual(['Paging ends at row 100.']);
});

test('rows with an integer beyond 2^53 are compared', async () => {
  const columns = [{ name: 'id', type: 'int' as const, nativeType: '' }];
  const rows = rowSetFromCells(columns, [[9007199254740993n], [9007199254740992n]]);
  const core = {
    data: {
      describe: async () => ({ name: 't', key: ['id'], columns: [] }),
      search: async () => ({ rows }),
    },
  } as unknown as Core;
  const request = { table: 't', filters: [], match: 'all' as const, limit: 10, text: 'x' };
  const { note } = await compareSearches(core, {} as DataAccess, request);
  expect(String(note)).toBe('The numbers are ranks; 2 of 2 rows are in every list. hybrid has alpha 0.75.');
});
