import { expect, test } from 'vitest';
import { withoutChange } from './without-change.ts';

test('a refused change returns to the old value, and a change made meanwhile stays', () => {
  const before = { theme: 'light', density: 'compact', port: 1 };
  const now = { theme: 'dark', density: 'roomy', port: 1 };
  expect(withoutChange(now, before, { theme: 'dark' })).toEqual({
    theme: 'light',
    density: 'roomy',
    port: 1,
  });
});
