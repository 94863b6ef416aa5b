import { expect, test } from 'vitest';
import { retryWait } from './retry-wait.ts';

test('if each stream is closed soon after it opens, the wait doubles, up to a minute', () => {
  const waits = Array.from({ length: 8 }).reduce<number[]>(
    (all) => [...all, retryWait(all.at(-1) ?? null, 5)],
    [],
  );
  expect(waits).toEqual([2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000]);
});

test('after a long stream, and while the app does not answer, the wait is short', () => {
  expect(retryWait(60_000, 15_000)).toBe(2000);
  expect(retryWait(60_000, null)).toBe(2000);
});
