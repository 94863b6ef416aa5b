import { expect, test } from 'vitest';
import { hasUnseen, readingOf } from './plain-name.ts';

test.each([
  '__stdio_bridge__',
  '__STDIO_BRIDGE__',
  '__stdio\u200b_bridge__',
  '__stdio_bri\u00addge__',
  '\ufeff__stdio_bridge__',
  '__stdio_bridge__\u3164',
  '__stdi\u043e_bridge__',
  '__ѕtdio_bridge__',
  '＿＿ｓｔｄｉｏ＿ｂｒｉｄｇｅ＿＿',
  '__stdio__bridge__',
  '__stdio bridge__',
  '__stdío_bridge__',
])('%j reads like the name of the bridge’s token', (name) => {
  expect(readingOf(name)).toBe('stdiobridge');
});

test.each([
  ...['ᴡeaviate', 'We\u0251viate', 'Wea\u1d20iate', 'Weaviate™', 'VVeaviate', '\\/\\/eaviate', 'We@viate'],
  ...['Wea\u2228iate', '\ua4eaeaviate', '\u13b3eaviate', '\u0448eaviate', '\u03c9eaviate'],
])('%j reads like Weaviate', (name) => {
  expect(readingOf(name)).toBe(readingOf('Weaviate'));
});

test('names that look different have different readings', () => {
  const names = ['Claude Code', 'Claude', 'Cursor 2', 'Cursor 3', 'Курсор', '光标'];
  expect(new Set(names.map(readingOf)).size).toBe(names.length);
});

test.each([
  ['plain name', false],
  ['Größe – 光标 №1', false],
  ['a\u3000b', false],
  ['日本語 👩‍👩‍👧 ❤️ שלום', false],
  ['می\u200cروم', false],
  ['a\u200cb', true],
  ['a\u200db', true],
  ['👩\u200d', true],
  ['a\u00a0b', true],
  ['a\u2028b', true],
  ['a\u2800b', true],
  ['a\u200bb', true],
  ['a\u0007b', true],
  ['a\u3164', true],
  ['a\u202eb', true],
])('%j has characters that cannot be seen: %s', (name, unseen) => {
  expect(hasUnseen(name)).toBe(unseen);
});
