import { expect, test } from 'vitest';
import { clockWords, dayWords, exactWords, momentWords } from './date-words.ts';

test('dates and times are written in one fixed English form', () => {
  const at = new Date(2026, 6, 8, 4, 5, 9);
  expect([dayWords(at), clockWords(at), momentWords(at), exactWords(at)]).toEqual([
    '8 Jul 2026',
    '04:05',
    '8 Jul 2026, 04:05',
    '8 Jul 2026, 04:05:09',
  ]);
});
