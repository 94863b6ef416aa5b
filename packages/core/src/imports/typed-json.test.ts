import type { Cell, ColumnType } from '@trestle/driver-kit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitJsonValue } from './fit-cell.ts';
import { jsonRowText, parseJsonRow } from './parse-json-row.ts';
import { typedJson } from './typed-json.ts';

const types: ColumnType[] = ['text', 'int', 'number', 'bytes', 'any'];

/** The cells that SQLite answers to an exact request. */
const sqliteCell = fc.oneof(
  fc.constant(null),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('5', '5.0', '', ' 1', '-0', 'true', '{"$text":"x"}', 'AQI=', '1e3', 'Infinity', '\u0000'),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.bigInt({ min: -20n, max: 20n }),
  fc.double({ noNaN: true }),
  fc.integer().map((integer) => integer + 0),
  fc.constantFrom(-0, 5, 1e15, 1e16, 1e20, 1e21, 2 ** 63, -(2 ** 63), 2 ** 60, 0.1, Infinity, -Infinity),
  fc.uint8Array(),
);

function returned(cell: Cell, type: ColumnType): unknown {
  const parsed = parseJsonRow(`{"x": ${typedJson(cell, { type, apart: true })}}`);
  if ('problem' in parsed) return parsed;
  // The report of failed rows is written and read again.
  const again = parseJsonRow(jsonRowText(parsed.values));
  if ('problem' in again) return again;
  return fitJsonValue(again.values.get('x')!, { type, isApart: true });
}

test.each(['any', 'bytes'] as const)(
  'a JSON file carries every cell of a SQLite column of type %s',
  (type) => {
    fc.assert(
      fc.property(sqliteCell, (cell) => {
        expect(returned(cell, type)).toEqual({
          ok: true,
          cell: cell instanceof Uint8Array ? new Uint8Array(cell) : cell,
        });
      }),
      { numRuns: 3000 },
    );
  },
);

test.each(types)(
  'in a column of type %s, a cell keeps its value, and its type unless the column converts it',
  (type) => {
    const same = (one: unknown, other: Cell) =>
      typeof one === 'number' || typeof one === 'bigint'
        ? // The column turns an integer into the same REAL, or the other way round.
          Number(one) === Number(other)
        : JSON.stringify(one) === JSON.stringify(other);
    fc.assert(
      fc.property(sqliteCell, (cell) => {
        const fitted = returned(cell, type) as { ok: boolean; cell: Cell };
        expect(fitted, typedJson(cell, { type, apart: false })).toMatchObject({ ok: true });
        expect(same(fitted.cell, cell)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  },
);

test.each([
  ['{"$bytes": "no base64"}', 'Expected {"$bytes": "base64"}'],
  ['{"$text": 5}', 'Expected {"$text": "a text"}'],
  ['{"$integer": 5.5}', 'Expected {"$integer": "42"}'],
  ['{"$real": "x"}', 'Expected {"$real": 5.0}'],
])('the value %s is refused', (json, problem) => {
  const parsed = parseJsonRow(`{"x": ${json}}`) as { values: Map<string, object> };
  expect(fitJsonValue(parsed.values.get('x')!, { type: 'any', isApart: true })).toEqual({
    ok: false,
    problem,
  });
});

test('in a json column, an object is always itself', () => {
  const parsed = parseJsonRow('{"x": {"$text": "y"}}') as { values: Map<string, object> };
  const cell = { $text: 'y' };
  expect(fitJsonValue(parsed.values.get('x')!, { type: 'json', isApart: false })).toEqual({ ok: true, cell });
});

test.each([
  ['{"a": 1, "a": 2}', 'a'],
  ['{"a": {"b": 1, "\\u0062": 2}}', 'b'],
  ['{"l": [{"x": "x:", "y": 1}, {"x": 1, "x": 1}]}', 'x'],
])('the row %s is refused, because a member is there twice', (text, name) => {
  expect(parseJsonRow(text)).toEqual({ problem: `the object has the member "${name}" twice` });
});

test('half of a surrogate pair is refused, because the database would store another character', () => {
  const parsed = parseJsonRow('{"x": "a\\ud800", "y": ["\\udc00"], "z": "\\ud83d\\ude00"}') as {
    values: Map<string, object>;
  };
  const fit = (name: string, type: ColumnType) =>
    fitJsonValue(parsed.values.get(name)!, { type, isApart: false });
  for (const type of ['text', 'any', 'json'] as const)
    expect(fit('x', type)).toEqual({ ok: false, problem: 'The text has half of a surrogate pair' });
  expect(fit('y', 'json')).toEqual({ ok: false, problem: 'The text has half of a surrogate pair' });
  expect(fit('z', 'text')).toEqual({ ok: true, cell: '😀' });
});
