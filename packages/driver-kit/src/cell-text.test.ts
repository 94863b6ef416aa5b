import { expect, test } from 'vitest';
import { cellToJson, cellToText, parseCell } from './cell-text.ts';
import type { Cell, ColumnType } from './values.ts';

test.each<[ColumnType, string, Cell]>([
  ['text', ' as typed ', ' as typed '],
  ['int', ' 42 ', 42],
  ['int', '+7', 7],
  ['int', '-9007199254740993', -9007199254740993n],
  ['number', '3.14', 3.14],
  ['number', '.5', 0.5],
  ['number', '1e3', 1000],
  ['number', '9007199254740993', 9007199254740993n],
  ['number', '9007199254740992', 9007199254740992],
  ['boolean', 'TRUE', true],
  ['date', '2026-07-28T09:30:00Z', '2026-07-28T09:30:00Z'],
  ['date', ' 2026-07-28 ', '2026-07-28T00:00:00Z'],
  ['date', '2024-02-29T23:59:59.123+02:00', '2024-02-29T23:59:59.123+02:00'],
  ['uuid', '6F1C2B0E-8d4a-4c53-9d0f-2f7a2f1f9a10', '6f1c2b0e-8d4a-4c53-9d0f-2f7a2f1f9a10'],
  ['json', '{"a":[1,null]}', { a: [1, null] }],
  ['json', '1000000000000000000000', 1e21],
  ['json', '[12345678901234567000,"12345678901234567890"]', [12345678901234567000, '12345678901234567890']],
  ['vector', '[0.1, -2]', [0.1, -2]],
  [
    'vector',
    '[[0.1, -2], [3, 4]]',
    [
      [0.1, -2],
      [3, 4],
    ],
  ],
  ['bytes', 'AAH/', new Uint8Array([0, 1, 255])],
  ['bytes', '', new Uint8Array([])],
  ['any', '42', 42],
  ['any', '0042', '0042'],
  ['any', '1.50', '1.50'],
  ['any', '-0', '-0'],
  ['any', '9007199254740993', 9007199254740993n],
  ['any', '12345678901234567890', '12345678901234567890'],
  ['any', '2024-05-01', '2024-05-01'],
  ['any', '9'.repeat(310), '9'.repeat(310)],
  ['any', '9'.repeat(100_000), '9'.repeat(100_000)],
  ['int', '9'.repeat(310), BigInt('9'.repeat(310))],
])('the type %s accepts %j', (type, text, cell) => {
  expect(parseCell(text, type)).toEqual({ ok: true, cell });
});

test.each<[ColumnType, string]>([
  ['int', '1.5'],
  ['int', ''],
  ['int', '1e3'],
  ['number', 'abc'],
  ['number', '1e999'],
  ['number', '9'.repeat(310)],
  ['number', '-'.concat('9'.repeat(310))],
  ['number', '9'.repeat(2_000_000)],
  ['int', '9'.repeat(2_000_000)],
  ['number', '0x10'],
  ['boolean', 'yes'],
  ['date', '2026-02-30'],
  ['date', '2026-7-28'],
  ['date', '2026-02-30T00:00:00Z'],
  ['date', '2026-01-01T24:00:00Z'],
  ['date', '2026-13-01T00:00:00Z'],
  ['uuid', '6f1c2b0e'],
  ['json', '{a:1}'],
  ['json', '{"a":[1e999]}'],
  ['json', '{"a":[12345678901234567890]}'],
  ['json', '-9007199254740993'],
  ['json', '['.repeat(100_000) + ']'.repeat(100_000)],
  ['vector', '[1e999]'],
  ['vector', '{"a":1}'],
  ['vector', '[1, "2"]'],
  ['vector', '[1, [2]]'],
  ['vector', '[[[1]]]'],
  ['bytes', 'AAH'],
  ['bytes', '????'],
])('the type %s refuses %j and names the expected format', (type, text) => {
  expect(parseCell(text, type)).toEqual({ ok: false, problem: expect.stringMatching(/^Expected /) });
});

/** A pattern that tries every way to divide the digits would take minutes. */
test('a long text that is no number is refused quickly', () => {
  expect(parseCell(`${'1'.repeat(1_000_000)}x`, 'number')).toMatchObject({ ok: false });
});

test.each<[Cell, string, unknown]>([
  [null, '', null],
  ['', '', ''],
  ['x', 'x', 'x'],
  [true, 'true', true],
  [1.5, '1.5', 1.5],
  [9007199254740993n, '9007199254740993', '9007199254740993'],
  [Number.POSITIVE_INFINITY, 'Infinity', 'Infinity'],
  [new Uint8Array([0, 1, 255]), 'AAH/', 'AAH/'],
  [{ a: [1] }, '{"a":[1]}', { a: [1] }],
])('the cell %s becomes the text %j and the JSON %j', (cell, text, json) => {
  expect([cellToText(cell), cellToJson(cell)]).toEqual([text, json]);
});

test('a long value of bytes becomes the same bytes again when its text is parsed', () => {
  const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => index % 256);
  expect(parseCell(cellToText(bytes), 'bytes')).toEqual({ ok: true, cell: bytes });
});
