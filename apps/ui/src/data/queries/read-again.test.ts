import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, onTestFinished, test } from 'vitest';
import { readAgain } from './read-again.ts';

/** One query. The test decides when its reads end, and with which data. */
function makeQuery() {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  const reads: PromiseWithResolvers<string>[] = [];
  const queryFn = () => {
    const read = Promise.withResolvers<string>();
    reads.push(read);
    return read.promise;
  };
  const query = { queryKey: ['list'], queryFn };
  const observer = new QueryObserver(client, query);
  return {
    client,
    query,
    reads,
    look: () => onTestFinished(observer.subscribe(() => {})),
    data: () => observer.getCurrentResult().data,
  };
}

test('a change during the first read is not hidden by the answer to that read', async () => {
  const { client, reads, look, data } = makeQuery();
  look();
  void readAgain(client, { queryKey: ['list'] });
  reads[0]!.resolve('before the change');
  await expect.poll(() => reads.length).toBe(2);
  reads[1]!.resolve('after it');
  await expect.poll(data).toBe('after it');
});

test('if the filter matches only running reads, the first read restarts too', async () => {
  const { client, reads, look, data } = makeQuery();
  look();
  void readAgain(client, { predicate: ({ state }) => state.fetchStatus === 'fetching' });
  reads[0]!.reject(new Error('the database was away'));
  await expect.poll(() => reads.length).toBe(2);
  reads[1]!.resolve('there');
  await expect.poll(data).toBe('there');
});

test('a change is not hidden by the answer to a running read without an observer', async () => {
  const { client, query, reads, look, data } = makeQuery();
  const first = client.prefetchQuery(query);
  reads[0]!.resolve('before the change');
  await first;
  void client.refetchQueries({ queryKey: ['list'], type: 'all' });
  await readAgain(client, { queryKey: ['list'] });
  reads[1]!.resolve('before it too');
  look();
  await expect.poll(() => reads.length).toBe(3);
  reads[2]!.resolve('after it');
  await expect.poll(data).toBe('after it');
});

test('old data stays visible, marked as loading, until the new read ends', async () => {
  const { client, reads, look, data } = makeQuery();
  look();
  reads[0]!.resolve('old');
  await expect.poll(data).toBe('old');
  const seen = new Set<number>();
  onTestFinished(client.getQueryCache().subscribe(() => seen.add(client.isFetching())));
  void client.refetchQueries({ queryKey: ['list'] });
  void readAgain(client, { predicate: ({ queryKey }) => queryKey.length === 1 });
  await expect.poll(() => reads.length).toBe(3);
  expect(data()).toBe('old');
  // A component that waits for the read must not mistake the restart for the end of the read.
  expect(seen).toEqual(new Set([1]));
  reads[2]!.resolve('new');
  await expect.poll(data).toBe('new');
});
