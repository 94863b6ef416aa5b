import { expect, test } from 'vitest';
import { firstNames } from './counted.ts';

test('of many names, the first are listed and the others counted', () => {
  const names = (count: number) => Array.from({ length: count }, (_, at) => `t${at + 1}`);
  expect(firstNames(names(2), 20)).toBe('t1, t2');
  expect(firstNames(names(1_220), 20)).toMatch(/^t1, .*, t20 and 1,200 more$/);
});
