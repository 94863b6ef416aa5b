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
  ['caf\u00e9', 'x', 'cafe\u0301', true],
  ['.email', 'users', 'email', false],
])('%s guards %s / %s: %s', (pattern, table, column, expected) => {
  expect(isGuarded(maskedColumn(pattern), table, column)).toBe(expected);
});

test('without patterns nothing is guarded', () => {
  expect([isGuarded(undefined, 'a', 'b'), isGuarded([], 'a', 'b')]).toEqual([false, false]);
});
