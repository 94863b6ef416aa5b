import { expect, test } from 'vitest';
import { valueText } from './value-text.tsx';

test('a long text is cut, and half a character at the cut becomes U+FFFD', () => {
  expect(valueText(`${'x'.repeat(599)}😀`, null)).toBe(`${'x'.repeat(599)}\uFFFD…`);
});
