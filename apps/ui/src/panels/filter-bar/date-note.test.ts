import type { FilterOperator } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { dateNote } from './date-note.ts';

const note = (operator: FilterOperator, value: string, upper = '', type: 'date' | 'text' = 'date') =>
  dateNote({ id: 'a', column: 'at', operator, value, upper, off: false, at: null }, { type });

test('a plain date in a filter shows the instants that it stands for', () => {
  expect(note('equals', '2026-02-28')).toBe(
    'the whole day, 2026-02-28T00:00:00Z to before 2026-03-01T00:00:00Z',
  );
  expect(note('less_than', ' 2026-02-28 ')).toBe('before 2026-02-28T00:00:00Z, midnight UTC');
  expect(note('between', '2026-02-01', '2026-02-28T12:00:00Z')).toBe(
    'from 2026-02-01T00:00:00Z to 2026-02-28T12:00:00Z, both included',
  );
});

test('there is no note for a full timestamp, an invalid date, a column of text, an operator without a value, or “equals 9999-12-31”', () => {
  expect(note('equals', '2026-02-28T09:30:00Z')).toBeUndefined();
  expect(note('equals', '2026-02-30')).toBeUndefined();
  expect(note('equals', '2026-02-28', '', 'text')).toBeUndefined();
  expect(note('is_null', '')).toBeUndefined();
  expect(note('equals', '9999-12-31')).toBeUndefined();
});

test('a range with only one bound has no note yet', () => {
  expect(note('between', '2026-02-01')).toBeUndefined();
  expect(note('between', '', '2026-02-28')).toBeUndefined();
});
