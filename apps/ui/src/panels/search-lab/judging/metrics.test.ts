import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Metrics, meanMetrics, metricsAt } from './metrics.ts';

/**
 * Values computed by hand. In the first case, two of three right rows are found, at ranks 1 and 3 of 4:
 * precision 2/4, recall 2/3, MRR 1/1, DCG 1/log2(2) + 1/log2(4) = 1.5, ideal 1 + 0.63093 + 0.5 = 2.13093.
 */
test.each<[string[], string[], number, Metrics]>([
  [
    ['a', 'x', 'b', 'y'],
    ['a', 'b', 'c'],
    4,
    { precision: 0.5, recall: 2 / 3, mrr: 1, ndcg: 1.5 / 2.130929754 },
  ],
  [['x', 'a'], ['a'], 2, { precision: 0.5, recall: 1, mrr: 0.5, ndcg: 0.630929754 }],
  [['x', 'y', 'a'], ['a'], 2, { precision: 0, recall: 0, mrr: 0, ndcg: 0 }],
  [['a', 'b'], ['a', 'b', 'c', 'd'], 2, { precision: 1, recall: 0.5, mrr: 1, ndcg: 1 }],
  [[], ['a'], 5, { precision: 0, recall: 0, mrr: 0, ndcg: 0 }],
  [['a', 'a', 'b'], ['b'], 2, { precision: 0.5, recall: 1, mrr: 0.5, ndcg: 0.630929754 }],
])('the metrics of %j with %j right, at k = %i, are those computed by hand', (found, right, k, expected) => {
  const metrics = metricsAt(found, right, k)!;
  for (const [name, value] of Object.entries(expected)) {
    expect(metrics[name as keyof Metrics], name).toBeCloseTo(value, 8);
  }
});

test('without a right row there are no metrics, and the mean leaves the query out', () => {
  expect(metricsAt(['a'], [], 5)).toBeNull();
  const one = { precision: 1, recall: 1, mrr: 1, ndcg: 1 };
  expect(meanMetrics([one, null, { precision: 0, recall: 0, mrr: 0, ndcg: 0 }])).toEqual({
    precision: 0.5,
    recall: 0.5,
    mrr: 0.5,
    ndcg: 0.5,
  });
  expect(meanMetrics([null])).toBeNull();
});

/** make-metrics-fixture.py wrote the cases: ranx computed the values, and scikit-learn confirmed some nDCG values. */
test('the metrics agree with ranx on random rankings', () => {
  const file = join(import.meta.dirname, 'metrics-fixture.json');
  const { cases } = JSON.parse(readFileSync(file, 'utf8')) as {
    cases: { found: string[]; right: string[]; k: number; expected: Metrics }[];
  };
  expect(cases).toHaveLength(60);
  for (const { found, right, k, expected } of cases) {
    const metrics = metricsAt(found, right, k)!;
    for (const name of ['precision', 'recall', 'mrr', 'ndcg'] as const) {
      expect(metrics[name]).toBeCloseTo(expected[name], 8);
    }
  }
});
