import { expect, test } from 'vitest';
import { hasFilterField } from './welcome.tsx';

test('the filter field is shown for a long list, and for a short list only while the field has text', () => {
  expect(hasFilterField(5, '')).toBe(true);
  expect(hasFilterField(4, 'prod')).toBe(true);
  expect(hasFilterField(4, '')).toBe(false);
});
