import { expect, test } from 'vitest';
import { instantOf } from './instant.ts';

test.each([
  ['2024-01-01T23:59:59Z', 1_704_153_599_000_000_000n],
  ['2024-01-01T23:59:59,5+00:30', 1_704_151_799_500_000_000n],
  ['2024-01-01T24:00:00Z', null],
  ['2024-01-01T24:00:00.5Z', null],
  ['2024-01-01T23:59:60Z', null],
  ['2024-02-30T00:00:00Z', null],
])('%s is read as %s, as in Weaviate (null: refused)', (text, instant) => {
  expect(instantOf(text)).toBe(instant);
});
