import { expect, test } from 'vitest';
import { maskCell, maskJson } from './masked-kinds.ts';
import { holdsPersonal, type MaskPattern } from './personal-text.ts';

const found: [MaskPattern, string][] = [
  ['email', 'ada@lovelace.example'],
  ['email', 'Write to <Ada.L+x@mail.lovelace.co.uk>!'],
  ['email', 'mailto:a%40b.example'],
  ['email', 'ada＠lovelace.example'],
  ['email', 'ada\u200B@\u200Blovelace.example'],
  ['email', 'ada@localhost'],
  ['email', '"ada"@lovelace.example'],
  ['email', '@ada@social'],
  ['email', 'ada@@localhost'],
  ['email', 'müller@bücher.example'],
  ['email', ' ada@localhost\n'],
  ['card', '4111111111111111'],
  ['card', 'paid with 4111 1111 1111 1111 yesterday'],
  ['card', '4111-1111-1111-1111'],
  ['card', '3782 822463 10005'],
  ['card', 'order 1000 4111 1111 1111 1111'],
  ['card', '５５５５５５５５５５５５４４４４'],
  ['phone', '+49 30 1234567'],
  ['phone', '+1 (415) 555-2671'],
  ['phone', 'call 0049 (30) 123 456'],
  ['phone', '(415) 555-2671'],
  ['phone', '415.555.2671'],
  ['phone', '(415)555-2671'],
  ['phone', '1(415)555-2671'],
  ['phone', '4155552671'],
  ['phone', '14155552671'],
  ['phone', '4155552671 '],
  ['phone', '\u202A4155552671\u202C'],
  ['phone', '030 1234567'],
  ['phone', '0171/1234567'],
  ['phone', '01711234567'],
  ['phone', 'call 01711234567 now'],
  ['phone', '(030)1234567'],
  ['phone', '030 / 1234567'],
  ['phone', 'ring 06 12 34 56 78 now'],
  ['phone', 'Tél. 06.12.34.56.78 (soir)'],
  ['phone', '0171 12 34 567'],
  ['phone', '030 123 45 67'],
  ['phone', '0171/123456 78-90'],
  ['phone', 'tel:5551234'],
  ['phone', 'ISBN 0306406152, call 0306406153'],
  ['phone', 'ISBN 01711234567'],
];

const harmless: string[] = [
  'Ada Lovelace',
  '@ada',
  'ada@',
  'a @ b',
  '2026-07-28T09:30:00+02:00',
  '2026-07-28 09:30:00',
  '01-02-2024',
  '01.02.2024 10.30',
  '01/02/2024 10:30',
  '(0123)',
  '6f1c2b0e-8d4a-4c53-9d0f-2f7a2f1f9a10',
  '4111111111111112',
  '1700000000000',
  '192.168.100.200',
  '3.14159265358979',
  '[0.123456, -0.987654, 0.555123]',
  'version 1.33.10',
  '03 - 1984',
  '05 / 2024',
  '01 – 100 items',
  '01-23-45-67-89-AB',
  'ISBN 0306406152',
  'see isbn-10: 0306406152.',
];

test.each(found)('the pattern %s matches %j', (pattern, text) => {
  expect(holdsPersonal(text, [pattern])).toBe(true);
  expect(holdsPersonal(text, [])).toBe(false);
});

test.each(harmless)('no pattern matches %j', (text) => {
  expect(holdsPersonal(text, ['email', 'card', 'phone'])).toBe(false);
});

/** In quadratic time, one of these texts would take minutes. */
test('long texts are checked in linear time', () => {
  for (const part of [
    '\u0315\u0300',
    'a',
    '1',
    '1 ',
    'a.',
    '+',
    '0-',
    '01 ',
    '01',
    '(01)',
    '@',
    'a@b',
    '411 ',
  ])
    for (const [before, after] of [
      ['', ''],
      ['', ' '],
      ['01 ', 'a'],
      ['@', ' @'],
    ])
      holdsPersonal(before + part.repeat(200_000) + after, ['email', 'card', 'phone']);
});

test('numbers, bytes and JSON that match a pattern are masked, and other cells stay', () => {
  const all: MaskPattern[] = ['email', 'card', 'phone'];
  expect(maskCell(4111111111111111, all)).toBe('•••');
  expect(maskCell(4111111111111111n, all)).toBe('•••');
  expect(maskCell(new TextEncoder().encode('x a@b.example'), all)).toBe('•••');
  expect([maskCell(null, all), maskCell(false, all), maskCell(7, all)]).toEqual([null, false, 7]);
  expect(
    maskJson({ 'a@b.example': ['x', { deep: 'c@d.example' }], 'e@f.example': 1, ok: 'ok', n: null }, all),
  ).toEqual({ '•••': ['x', { deep: '•••' }], '••• 2': 1, ok: 'ok', n: null });
});
