import { expect, test } from 'vitest';
import { bestOf, type QueryOutcome, runSet } from './run-set.ts';

const queries = [
  { text: 'one', right: ['a'], wrong: [] },
  { text: 'two', right: ['b'], wrong: [] },
];

test('each column has the mean of its queries, and a failed search is left out of the mean of its column', async () => {
  const seen: QueryOutcome[] = [];
  const run = await runSet({
    queries,
    columns: ['Keyword', 'Hybrid'],
    k: 2,
    signal: new AbortController().signal,
    search: async (query, column) => {
      if (column === 1 && query === 'two') throw new Error('No server');
      return column === 0 ? ['x', 'a'] : ['a'];
    },
    onOutcome: (outcome) => seen.push(outcome),
  });
  expect(run.columns).toEqual([
    {
      name: 'Keyword',
      failed: 0,
      mean: { precision: 0.25, recall: 0.5, mrr: 0.25, ndcg: expect.closeTo(0.31546, 4) },
    },
    { name: 'Hybrid', failed: 1, mean: { precision: 0.5, recall: 1, mrr: 1, ndcg: 1 } },
  ]);
  expect(seen.map(({ errors }) => errors)).toEqual([
    [null, null],
    [null, 'No server'],
  ]);
  expect(bestOf(run.columns.map(({ mean }) => mean))).toBe(1);
  expect(bestOf([null, null])).toBe(null);
});

test('a cancelled run starts no further search', async () => {
  const controller = new AbortController();
  const asked: string[] = [];
  const running = runSet({
    queries,
    columns: ['Keyword'],
    k: 1,
    signal: controller.signal,
    search: async (query) => {
      asked.push(query);
      controller.abort();
      return [];
    },
    onOutcome: () => {},
  });
  await expect(running).rejects.toThrow();
  expect(asked).toEqual(['one']);
});
