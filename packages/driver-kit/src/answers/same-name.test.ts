import { expect, test } from 'vitest';
import { cutCell, maxCellBytes } from '../answer-size.ts';
import type { Cell, ColumnType } from '../values.ts';
import { isSameKey, isSameKeyCell, isSameName } from './same-name.ts';

test.each([
  ['planets', 'planets', true],
  ['PLANETS', 'planets', true],
  ['planets', 'moons', false],
  ['planets', 'planets ', false],
  ['ÄRZTE', 'ärzte', false],
  ['K', '\u212a', false],
  ['__proto__', '__PROTO__', true],
])('%j asked and %j sent are one name: %s', (asked, sent, same) => {
  expect(isSameName(asked, sent)).toBe(same);
});

const uuid = '6f1c2b0e-8d4a-4c53-9d0f-2f7a2f1f9a10';

test.each<[ColumnType, Cell, Cell]>([
  ['uuid', uuid.toUpperCase(), uuid],
  ['uuid', `{${uuid}}`, uuid],
  ['uuid', uuid.replaceAll('-', ''), uuid],
  ['uuid', 'not a uuid', 'Not a uuid'],
  ['int', '5', 5],
  ['int', 5, 5n],
  ['int', 9007199254740993n, '9007199254740993'],
  ['int', true, 1],
  ['int', -0, 0],
  ['int', '007', 7],
  ['number', 5, '5.0'],
  ['number', '1e3', 1000],
  ['number', 1e300, 10n ** 300n + (BigInt(1e300) - 10n ** 300n)],
  ['number', '0.10', 0.1],
  ['number', 1.5e-7, '1.5E-7'],
  ['any', '5', 5],
  ['any', 'Earth ', 'earth'],
  ['text', 'Earth', 'EARTH'],
  ['text', 'e\u0301', '\u00e9'],
  ['text', 5, '5'],
  ['text', 'a'.repeat(maxCellBytes + 1), cutCell('a'.repeat(maxCellBytes + 1)) as string],
  ['date', '2026-01-01', '2026-01-01T00:00:00Z'],
  ['date', '2026-01-01T01:00:00+01:00', '2026-01-01T00:00:00.000Z'],
  ['date', '2026-01-01 00:00:00.1234560', '2026-01-01T00:00:00.123456Z'],
  ['date', 1767225600, 1767225600],
  ['bytes', new Uint8Array([1, 2]), new Uint8Array([1, 2])],
  ['json', { a: [1, null] }, { a: [1, null] }],
  [
    'json',
    [(10n ** 20n) as never, new Uint8Array([1]) as never],
    [(10n ** 20n) as never, new Uint8Array([1]) as never],
  ],
  ['text', [1], '[1]'],
  ['text', null, null],
])('a key of the type %s, asked as %o, may be sent as %o', (type, asked, sent) => {
  expect(isSameKeyCell(asked, sent, type)).toBe(true);
});

test.each<[ColumnType, Cell, Cell]>([
  ['uuid', uuid, uuid.replace('6', '7')],
  ['uuid', uuid, `${uuid}0`],
  ['int', 5, 6],
  ['int', 9007199254740993n, 9007199254740992n],
  ['int', 5, -5],
  ['int', '5x', 5],
  ['number', 0.1, 0.10000000000000002],
  ['number', '1e3', 1001],
  ['text', '007', '7'],
  ['text', '5', 5.5],
  ['text', 'Earth', 'Mars'],
  ['text', ' Earth', 'Earth'],
  ['text', 'Earth', null],
  ['text', null, 'Earth'],
  ['text', '', null],
  ['text', 'Earth', `Earth… ⟨cut: 9 characters⟩`],
  ['text', 'Earth', '⟨A value, too large to show: over 8388608 bytes⟩'],
  ['date', '2026-01-01', '2026-01-02T00:00:00Z'],
  ['date', '2026-02-30', '2026-03-02'],
  ['date', '2026-01-01T00:00:00.1234561Z', '2026-01-01T00:00:00.1234562Z'],
  ['date', '2026-01-01T00:00:00+01:00', '2026-01-01T00:00:00Z'],
  ['bytes', new Uint8Array([1, 2]), new Uint8Array([1, 3])],
  ['bytes', new Uint8Array([1]), 'AQ=='],
  ['json', { a: 1 }, { a: 2 }],
  ['json', [new Uint8Array([1]) as never], [new Uint8Array([2]) as never]],
  ['boolean', true, false],
])('a key of the type %s, asked as %o, is not sent as %o', (type, asked, sent) => {
  expect(isSameKeyCell(asked, sent, type)).toBe(false);
});

test('a long text of digits is no number, since the pattern would take quadratic time', () => {
  expect(isSameKeyCell(`${'0'.repeat(5_000_000)}x`, '0', 'number')).toBe(false);
});

test('a key has the same columns, in any order', () => {
  expect(isSameKey({ a: 1, b: 2 }, { B: 2, a: 1 })).toBe(true);
  expect(isSameKey({ a: 1, b: 2 }, { a: 1 })).toBe(false);
  expect(isSameKey({ a: 1 }, { a: 1, b: 2 })).toBe(false);
  expect(isSameKey({ a: 1 }, { b: 1 })).toBe(false);
  expect(isSameKey({ a: 1 }, { a: 2 })).toBe(false);
});
