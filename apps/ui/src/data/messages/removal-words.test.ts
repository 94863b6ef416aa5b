import { expect, test } from 'vitest';
import { removalWords } from './removal-words.ts';

test('the sentence says how many entries were removed, why, and the day of the last removal', () => {
  const at = new Date(2026, 0, 5).toISOString();
  const day = '5 Jan 2026';
  expect(removalWords({ entries: 1, at }, ['statement', 'statements'])).toBe(
    `1 older statement was removed to stay within the storage limits, last on ${day}.`,
  );
  expect(removalWords({ entries: 1200, at }, ['entry', 'entries'], 'for their age')).toBe(
    `1,200 older entries were removed for their age, last on ${day}.`,
  );
});
