import { expect, test } from 'vitest';
import { counted } from './counted.ts';

test('the noun is singular after 1 only', () => {
  expect(counted(1, 'row')).toBe('1 row');
  expect(counted(0, 'row')).toBe('0 rows');
  expect(counted(1204, 'row')).toBe('1,204 rows');
  expect(counted(2, 'query', 'queries')).toBe('2 queries');
});
