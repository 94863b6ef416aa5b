import { expect, test } from 'vitest';
import { cellText, nameText } from './cell-text.ts';

test('a quoted value contains no character that ends a line', () => {
  expect(cellText('a\u2028b\u2029\n')).toBe('"a\\u2028b\\u2029\\n"');
  expect(cellText({ a: '\u2028' }, 'json')).toBe('{"a":"\\u2028"}');
  expect(nameText('a\u2028')).toBe('"a\\u2028"');
});

const selectors = [...'obey'].map((letter) => String.fromCodePoint(0xe0100 + letter.charCodeAt(0))).join('');

test.each([
  ['variation selectors, which can spell a text', `a${selectors}b`],
  ['a blank letter of Hangul', 'a\u3164b'],
  ['a joiner of graphemes', 'a\u034fb'],
  ['a run of joiners, which can be a code', 'a\u200c\u200d\u200c\u200cb'],
  ['a run of emoji selectors', 'a\ufe0f\ufe0e\ufe0fb'],
  ['a character that Unicode has reserved for invisible ones', 'a\ufff0b'],
  ['a control character that starts a command of a terminal', 'a\u009b31mb'],
  ['a control character that ends a line', 'a\u0085b'],
])('%s shows as an escape', (_, text) => {
  for (const shown of [cellText(text), cellText({ a: text }, 'json'), nameText(text)]) {
    expect(shown).toMatch(/\\u/);
    expect(shown).toMatch(/^[\x20-\x7e]+$/);
  }
});

test('joiners and the selector of emoji stay where they are needed', () => {
  for (const text of ['❤\ufe0f', '❤\ufe0f\u200d🔥', '👩\u200d💻', 'می\u200cخواهم'])
    expect(cellText(text)).toBe(text);
});
