import type { ColumnDescription, ColumnType } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { toChanges } from './plain-changes.ts';

const id = { name: 'id', type: 'int', inKey: true } as ColumnDescription;
const table = { columns: [id] };

test('an integer that JSON may have rounded is refused; as text it is exact', () => {
  const rounded = JSON.parse('{"id": 9007199254740993}');
  for (const wanted of [
    { delete: [rounded] },
    { insert: [rounded] },
    { update: [{ key: rounded, values: {} }] },
  ]) {
    expect(() => toChanges(wanted, table)).toThrow('may have been rounded');
  }
  const untyped = { ...id, type: 'any' as const };
  expect(() => toChanges({ delete: [rounded] }, { columns: [untyped] })).toThrow('may have been rounded');
  const [exact] = toChanges({ delete: [{ id: '9007199254740993' }] }, table);
  expect(exact).toMatchObject({ key: { id: 9007199254740993n } });
});

test('a missing key column named constructor is not read from Object.prototype', () => {
  const keyed = ['a', 'constructor'].map((name) => ({ ...id, name }));
  expect(toChanges({ delete: [{ a: 1 }] }, { columns: keyed })).toEqual([
    { kind: 'delete', id: '0', key: null },
  ]);
});

const insert = (type: ColumnType, json: string, mixed = true) => {
  const column = { name: 'x', type } as ColumnDescription;
  const [change] = toChanges({ insert: [{ x: JSON.parse(json) }] }, { columns: [column], mixed });
  return (change as { values: Record<string, unknown> }).values.x;
};

test.each<[ColumnType, string, unknown]>([
  ['any', '5', 5n],
  ['any', '{"$real": 5}', 5],
  ['any', '{"$real": "-0"}', -0],
  ['any', '{"$integer": "9007199254740993"}', 9007199254740993n],
  ['any', '{"$bytes": "AP8="}', Uint8Array.of(0, 255)],
  ['any', '"5"', '5'],
  ['any', '1e300', 1e300],
  ['any', '{"a": 1}', { a: 1 }],
  ['bytes', '"AP8="', Uint8Array.of(0, 255)],
  ['bytes', '{"$text": "AP8="}', 'AP8='],
  ['int', '{"$text": "x"}', 'x'],
  ['number', '"9007199254740993"', 9007199254740993n],
  ['number', '1e20', 1e20],
  ['json', '{"$text": "x"}', { $text: 'x' }],
  // The database converts or refuses these.
  ['int', 'true', true],
  ['text', '5', 5],
  ['text', '{"a": 1}', { a: 1 }],
])('in a column of type %s, %s keeps its value and type', (type, json, cell) => {
  expect(insert(type, json)).toStrictEqual(cell);
});

test.each<[ColumnType, string, string]>([
  ['any', '9007199254740993', 'may have been rounded'],
  ['number', '9007199254740993', 'may have been rounded'],
  ['text', '9007199254740993', 'may have been rounded'],
  ['any', '1e999', 'the number is too large'],
  ['text', '"\\ud800"', 'half of a surrogate pair'],
  ['json', '{"a": "\\ud800"}', 'half of a surrogate pair'],
  ['any', '{"$bytes": "x"}', 'Expected {"$bytes": "base64"}'],
  ['bytes', '5', 'Expected base64 in quotes'],
])('in a column of type %s, %s is refused: %s', (type, json, problem) => {
  expect(() => insert(type, json)).toThrow(problem);
});
