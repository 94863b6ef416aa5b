import { expect, test } from 'vitest';
import { withoutChange } from './without-change.ts';

test('a setting whose change was refused gets its old value, and changes of other settings stay', () => {
  const before = { theme: 'light', density: 'compact', port: 1 };
  const now = { theme: 'dark', density: 'roomy', port: 1 };
  expect(withoutChange(now, before, { theme: 'dark' })).toEqual({
    theme: 'light',
    density: 'roomy',
    port: 1,
  });
});
