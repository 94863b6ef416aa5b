import { expect, test } from 'vitest';
import { hasFilterField } from './welcome.tsx';

test('the filter of a list that became short stays visible while it hides connections', () => {
  expect(hasFilterField(5, '')).toBe(true);
  expect(hasFilterField(4, 'prod')).toBe(true);
  expect(hasFilterField(4, '')).toBe(false);
});
