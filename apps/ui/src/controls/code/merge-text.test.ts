import { expect, test } from 'vitest';
import { changeOf, mergeText } from './merge-text.ts';

test('if only one window changed the text, its text is used', () => {
  expect(mergeText('SELECT 1', 'SELECT 1', 'SELECT 2')).toBe('SELECT 2');
  expect(mergeText('SELECT 1', 'SELECT 2', 'SELECT 1')).toBe('SELECT 2');
  expect(mergeText('', 'same', 'same')).toBe('same');
});

test('changes in different places are both kept, in both windows', () => {
  const base = 'SELECT a\nFROM t\nWHERE x';
  const top = 'SELECT a, b\nFROM t\nWHERE x';
  const end = 'SELECT a\nFROM t\nWHERE x AND y';
  expect(mergeText(base, top, end)).toBe('SELECT a, b\nFROM t\nWHERE x AND y');
  expect(mergeText(base, end, top)).toBe('SELECT a, b\nFROM t\nWHERE x AND y');
});

test('changes at the same place are not merged', () => {
  expect(mergeText('SELECT ', 'SELECT one', 'SELECT two')).toBeNull();
  expect(mergeText('abc', '', 'abcd')).toBeNull();
});

test('a single replacement turns one text into the other', () => {
  for (const [before, after] of [
    ['aaa', 'aa'],
    ['', 'x'],
    ['one two', 'one 2 two'],
    ['same', 'same'],
  ] as const) {
    const { from, to, insert } = changeOf(before, after);
    expect(before.slice(0, from) + insert + before.slice(to)).toBe(after);
  }
});
