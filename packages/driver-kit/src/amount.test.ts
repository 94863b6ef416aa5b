import { expect, test } from 'vitest';
import { amount } from './amount.ts';

test('one is singular, every other number is plural', () => {
  expect([0, 1, 2, 1204].map((count) => amount(count, 'row'))).toEqual([
    '0 rows',
    '1 row',
    '2 rows',
    '1204 rows',
  ]);
});
