import { expect, test } from 'vitest';
import { valueText } from './value-text.tsx';

test('a long text is cut, without half a character at its end', () => {
  expect(valueText(`${'x'.repeat(599)}😀`, null)).toBe(`${'x'.repeat(599)}\uFFFD…`);
});
