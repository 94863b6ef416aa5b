import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, onTestFinished, test, vi } from 'vitest';
import { queryKeys } from '../queries/query-keys.ts';
import { countAgain } from './count-again.ts';

test('only a known count of the table whose query is disabled is read again', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  const count = vi.fn(async () => 150);
  const watch = (table: string, { known, enabled }: { known?: number; enabled: boolean }) => {
    const queryKey = queryKeys.rows('c', table, 'count', { table, enabled, known });
    if (known !== undefined) client.setQueryData(queryKey, known);
    const observer = new QueryObserver(client, { queryKey, queryFn: count, enabled });
    onTestFinished(observer.subscribe(() => {}));
    return () => client.getQueryData(queryKey);
  };
  const shown = watch('Species', { known: 149, enabled: false });
  const asked = watch('Species', { known: 149, enabled: true });
  const unknown = watch('Species', { enabled: false });
  const other = watch('Mission', { known: 170, enabled: false });
  await countAgain(client, 'c', 'Species');
  expect([shown(), asked(), unknown(), other()]).toEqual([150, 149, undefined, 170]);
  expect(count).toHaveBeenCalledOnce();
});
