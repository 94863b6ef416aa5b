import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { TableDescription } from '@trestle/driver-kit';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { createTableStore } from './table-store.ts';
import { useTableView } from './use-table-view.ts';

const search = { mode: 'near_text' as const, text: 'wolf' };
const searches = { modes: [{ mode: 'near_text' as const }], targetVectors: [] };
const description: TableDescription = {
  name: 'Species',
  kind: 'table',
  columns: [],
  key: [],
  indexes: [],
  foreignKeys: [],
  exampleQuery: '',
  notes: [],
  searches,
};

function Asked({ canSearch }: { canSearch: boolean }) {
  const store = createTableStore({ search }, 200);
  const { asked } = useTableView({
    connectionId: 'c',
    description,
    store,
    partitions: undefined,
    canSearch,
  });
  return JSON.stringify(asked.search);
}

test('a stored search is ignored if the session cannot search', () => {
  const shown = (canSearch: boolean) =>
    renderToStaticMarkup(
      <QueryClientProvider client={new QueryClient()}>
        <Asked canSearch={canSearch} />
      </QueryClientProvider>,
    ).replaceAll('&quot;', '"');
  expect(shown(true)).toBe(JSON.stringify(search));
  expect(shown(false)).toBe('null');
});
