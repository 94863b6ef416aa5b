import { expect, test } from 'vitest';
import { isGuarded, maskedColumn } from './guarded.ts';

test.each<[string, string, string, boolean]>([
  ['email', 'users', 'email', true],
  ['email', 'users', 'email2', false],
  ['Email', 'users', 'eMAIL', true],
  ['users.email', 'users', 'email', true],
  ['users.email', 'USERS', 'email', true],
  ['users.email', 'orders', 'email', false],
  ['users.*', 'users', 'anything', true],
  ['*.email', 'orders', 'email', true],
  ['*mail*', 'orders', 'E-Mail address', true],
  ['a.b.c', 'a', 'b.c', true],
  ['a.b.c', 'a.b', 'c', true],
  ['a.b', 'x', 'a.b', true],
  ['e.m+l', 'x', 'eXmmml', false],
  ['(.*', 'x', '(.y', true],
  ['*', 'any', 'thing\nelse', true],
  ['a*a', 'x', 'a', false],
  ['a*b*b', 'x', 'a-b', false],
  ['a**b', 'x', 'ab', true],
  ['caf\u00e9', 'x', 'cafe\u0301', true],
  ['.email', 'users', 'email', false],
  ['ΟΔΟΣ*', 'x', 'ΟΔΟΣΑ', true],
  ['οδος', 'x', 'ΟΔΟΣ', true],
])('does the pattern %s guard the table %s, column %s? %s', (pattern, table, column, expected) => {
  expect(isGuarded(maskedColumn(pattern), table, column)).toBe(expected);
});

/** A matcher that tries every way to divide the name would take hours. */
test('a long name is compared quickly', () => {
  const guarded = maskedColumn('*a*a*a*a*a*b*');
  expect(isGuarded(guarded, 't', 'a'.repeat(200_000))).toBe(false);
  expect(isGuarded(guarded, 't', `a${'\u0315\u0300'.repeat(200_000)}`)).toBe(false);
});

test('without patterns nothing is guarded', () => {
  expect([isGuarded(undefined, 'a', 'b'), isGuarded([], 'a', 'b')]).toEqual([false, false]);
});
