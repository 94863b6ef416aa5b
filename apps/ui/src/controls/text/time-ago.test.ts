import { expect, test } from 'vitest';
import { timeAgo } from './time-ago.ts';

test.each([
  [-3, 'just now'],
  [4, 'just now'],
  [59, '59 s ago'],
  [61, '1 min ago'],
  [3599, '59 min ago'],
  [7300, '2 h ago'],
])('%i seconds ago is shown as “%s”', (seconds, words) => {
  const now = new Date('2026-07-01T12:00:00Z');
  expect(timeAgo(new Date(now.getTime() - seconds * 1000).toISOString(), now)).toBe(words);
});

test('a time one month ago is shown as a date', () => {
  expect(timeAgo('2026-06-01T12:00:00Z', new Date('2026-07-01T12:00:00Z'))).toBe('on 1 Jun 2026');
});
