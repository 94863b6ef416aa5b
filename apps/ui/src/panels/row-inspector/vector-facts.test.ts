import { expect, test } from 'vitest';
import { factText, vectorFacts } from './vector-facts.ts';

test('the facts of a vector are its dimensions, norm and bounds, and an empty one has none', () => {
  expect(vectorFacts([3, -4])).toEqual({ dimensions: 2, norm: 5, least: -4, greatest: 3 });
  expect(vectorFacts([])).toBeNull();
  expect(factText(1 / 3)).toBe('0.333333');
});
