import { expect, test } from 'vitest';
import { addDays, addMonths, dayIn, weekday, weeksOf, withDay } from './calendar-days.ts';

const landing = { year: 1969, month: 7, day: 20 };

test('setting another day keeps the time of day and the zone, or sets midnight in UTC if there is no time', () => {
  expect(withDay('1969-07-16T13:32:00.5+02:00', landing)).toBe('1969-07-20T13:32:00.5+02:00');
  expect(withDay('1969-07-16', landing)).toBe('1969-07-20T00:00:00Z');
  expect(withDay('soon', landing)).toBe('1969-07-20T00:00:00Z');
  expect(withDay('', { year: 33, month: 4, day: 3 })).toBe('0033-04-03T00:00:00Z');
});

test('a text that is not a date has no day', () => {
  expect(dayIn('1969-07-16T13:32:00Z')).toEqual({ year: 1969, month: 7, day: 16 });
  expect([dayIn('1969-02-30'), dayIn(''), dayIn('16 July')]).toEqual([null, null, null]);
});

test('days and months continue across the ends of months and years', () => {
  expect(addDays({ year: 1999, month: 12, day: 31 }, 1)).toEqual({ year: 2000, month: 1, day: 1 });
  expect(addMonths({ year: 2024, month: 1, day: 31 }, 1)).toEqual({ year: 2024, month: 2, day: 29 });
  expect(addMonths({ year: 2024, month: 1, day: 31 }, -2)).toEqual({ year: 2023, month: 11, day: 30 });
});

test('a month is divided into weeks that start on Monday', () => {
  expect(weekday(landing)).toBe(6);
  const weeks = weeksOf(landing);
  expect(weeks.map((week) => week.length)).toEqual([7, 7, 7, 7, 7]);
  expect(weeks[0]!.findIndex((day) => day !== null)).toBe(1);
  expect(weeks.flat().filter((day) => day !== null)).toHaveLength(31);
});
