import { expect, test } from 'vitest';
import { joinOf } from './join-targets.ts';

test('relative scores work with very many candidates', () => {
  const all = Array.from({ length: 200_000 }, (_, index) => [index, null]);
  const targets = {
    targetVectors: ['a', 'b'],
    combinationMethod: 'relativeScore',
    weights: { a: 0.5, b: 0.5 },
  };
  const join = joinOf(targets, [...all, [0, 1], [199_999, 3]]);
  expect([join([0, 1]), join([199_999, 3]), join([199_999, 1]), join([1, null])]).toEqual([0, 1, 0.5, null]);
});
