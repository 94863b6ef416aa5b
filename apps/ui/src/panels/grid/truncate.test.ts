import { expect, test, vi } from 'vitest';
import { isRightToLeft, measuredWidths, textWidth, truncate } from './truncate.ts';

const ten = () => 10;

test('the first letter decides the direction of a text', () => {
  expect(isRightToLeft('שלום world')).toBe(true);
  expect(isRightToLeft('12 … مرحبا')).toBe(true);
  expect(isRightToLeft('hello שלום')).toBe(false);
  expect(isRightToLeft('42')).toBe(false);
});

test('text that fits exactly is unchanged', () => {
  expect(truncate('abcde', 50, ten)).toBe('abcde');
  expect(truncate('', 0, ten)).toBe('');
});

test('text that does not fit is cut to leave room for an ellipsis', () => {
  expect(truncate('abcdef', 50, ten)).toBe('abcd…');
  expect(truncate('abcdef', 5, ten)).toBe('…');
});

test('text that fits only without an ellipsis is not cut', () => {
  expect(truncate('WWi', 25, (character) => (character === 'i' ? 5 : 10))).toBe('WWi');
});

test('a character of two UTF-16 code units is not cut in half', () => {
  expect(truncate('🪐🪐🪐🪐', 30, ten)).toBe('🪐🪐…');
});

test('each different character is measured once', () => {
  const measure = vi.fn((text: string) => text.length * 7);
  const widthOf = measuredWidths(measure);
  expect(textWidth('aaéé🪐🪐', widthOf)).toBe(7 + 7 + 7 + 7 + 14 + 14);
  expect(measure).toHaveBeenCalledTimes(3);
});
