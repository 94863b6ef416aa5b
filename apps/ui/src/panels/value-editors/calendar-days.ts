import { parseCell } from '@trestle/driver-kit';

/** A day of the calendar, with months from 1. */
export interface Day {
  year: number;
  month: number;
  day: number;
}

/** The day at the start of a date's text, in the text's own time zone; null if the text is not a date. */
export function dayIn(text: string): Day | null {
  if (!parseCell(text, 'date').ok) return null;
  const [year, month, day] = text.trim().slice(0, 10).split('-').map(Number);
  return { year: year!, month: month!, day: day! };
}

/** The text with another day. The time and the zone stay. A text without a time, or without a date, gets 00:00 UTC. */
export function withDay(text: string, day: Day): string {
  const rest = dayIn(text) ? text.trim().slice(10) : '';
  return `${dayText(day)}${rest === '' ? 'T00:00:00Z' : rest}`;
}

export function dayText({ year, month, day }: Day): string {
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
}

export function addDays({ year, month, day }: Day, days: number): Day {
  return fromUtc(utc(year, month, day + days));
}

/** The same day of another month, or the last day of that month if it has fewer days than `day`. */
export function addMonths({ year, month, day }: Day, months: number): Day {
  const first = fromUtc(utc(year, month + months, 1));
  return { ...first, day: Math.min(day, lastDay(first)) };
}

/** Monday is 0. */
export function weekday({ year, month, day }: Day): number {
  return (utc(year, month, day).getUTCDay() + 6) % 7;
}

/**
 * The days of a month in weeks that start on Monday. Places before the first and after the last day are null.
 */
export function weeksOf({ year, month }: Day): (Day | null)[][] {
  const first = { year, month, day: 1 };
  const days: (Day | null)[] = Array.from({ length: weekday(first) }, () => null);
  for (let day = 1; day <= lastDay(first); day++) days.push({ year, month, day });
  while (days.length % 7 > 0) days.push(null);
  return Array.from({ length: days.length / 7 }, (_, week) => days.slice(week * 7, week * 7 + 7));
}

function lastDay({ year, month }: Day): number {
  return utc(year, month + 1, 0).getUTCDate();
}

/** Date.UTC reads the years 0 to 99 as 1900 to 1999, so `setUTCFullYear` sets the year. */
function utc(year: number, month: number, day: number): Date {
  const date = new Date(Date.UTC(2000, month - 1, 1));
  date.setUTCFullYear(year, month - 1, day);
  return date;
}

function fromUtc(date: Date): Day {
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
