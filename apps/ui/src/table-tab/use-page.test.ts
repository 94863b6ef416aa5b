import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import type * as apiModule from '../data/api/api.ts';
import { queryKeys } from '../data/queries/query-keys.ts';
import { countNow } from './use-page.ts';

const { count } = vi.hoisted(() => ({ count: vi.fn(async () => 7) }));
vi.mock('../data/api/api.ts', async (load) => ({
  ...(await load<typeof apiModule>()),
  api: { tables: { count: { query: count } } },
}));

test('rows are counted again on request, even while the count of the tab is disabled', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  const request = { table: 'Notes', partition: 'acme', filters: [], match: 'all' };
  const queryKey = queryKeys.rows('c', 'Notes', 'count', request);
  client.setQueryData(queryKey, 5);
  const stop = new QueryObserver(client, { queryKey, enabled: false }).subscribe(() => {});
  await countNow(client, 'c', { table: 'Notes', partition: 'acme' });
  stop();
  expect(count).toHaveBeenCalledExactlyOnceWith({ connectionId: 'c', request }, expect.anything());
  expect(client.getQueryData(queryKey)).toBe(7);
});
