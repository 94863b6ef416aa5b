import { expect, test } from 'vitest';
import { cellText, nameText } from './cell-text.ts';

test('a quoted value contains no character that ends a line', () => {
  expect(cellText('a\u2028b\u2029\n')).toBe('"a\\u2028b\\u2029\\n"');
  expect(cellText({ a: '\u2028' }, 'json')).toBe('{"a":"\\u2028"}');
  expect(nameText('a\u2028')).toBe('"a\\u2028"');
});
