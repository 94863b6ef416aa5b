import { expect, test } from 'vitest';
import { localDate } from './date-text.ts';

test('an instant is shown in the window’s time zone, and a plain date without a time', () => {
  const date = new Date(1969, 6, 16, 9, 5, 33);
  expect(localDate(date.toISOString())).toBe('16 Jul 1969, 09:05');
  expect(localDate('1969-07-16')).toBe('16 Jul 1969');
});

test('words, partial dates, impossible dates and a time without T are not read as dates', () => {
  for (const text of [
    'soon',
    '1969',
    '1969-13-01',
    '2023-02-29',
    '1969-13-01T00:00:00Z',
    '2024-02-31T10:00:00Z',
    '2024-05-01 10:00',
    '',
  ])
    expect(localDate(text)).toBeNull();
});
