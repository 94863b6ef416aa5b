import type { Cell } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { bodyText } from './body-text.ts';
import type { ElementType, Property } from './schema.ts';
import { writableValue, writableVector } from './writable-value.ts';

const write = (cell: Cell, elementType: ElementType) =>
  writableValue(cell, { elementType, isArray: false } as Property, 'x');

test('a date is sent with a capital T and Z, and a blob without white space around it; an empty blob is refused', () => {
  expect(write('2026-07-28t09:30:00z', 'date')).toBe('2026-07-28T09:30:00Z');
  expect(write(' QUJD\n', 'blob')).toBe('QUJD');
  expect(() => write('  ', 'blob')).toThrow('x: expected non-empty base64');
});

test('a number that the server cannot store exactly, and a value that is not a float32 vector, are refused', () => {
  const number = 'x: expected a number that Weaviate stores exactly, as a double';
  expect(() => write(9007199254740993n, 'number')).toThrow(number);
  const vector = 'x: expected a non-empty JSON array of numbers that fit a float32';
  for (const cell of [[], [1e39], [[]], 'text']) expect(() => writableVector(cell, 'x')).toThrow(vector);
});

test.each([
  [9007199254740994n, 9007199254740994],
  [2 ** 60, 2 ** 60],
  [1152921504606847000n, 2 ** 60],
  [9223372036854775808n, 2 ** 63],
  [-(2 ** 63), -(2 ** 63)],
  [-0, 0],
] as [Cell, number][])('the integer %s is sent, because the server stores it exactly', (cell, sent) => {
  expect(write(cell, 'int')).toBe(sent);
});

test.each([9007199254740993n, 9223372036854775807n, 2n ** 64n, 1e20])('the integer %s is refused', (cell) => {
  expect(() => write(cell, 'int')).toThrow('x: expected an integer that Weaviate stores exactly');
});

test('a number keeps the sign of -0, and a large whole number is a double', () => {
  expect(write(-0, 'number')).toBe(-0);
  expect(write(12345678901234567000n, 'number')).toBe(12345678901234567000);
});

test('a body keeps -0, and writes the largest integers as the server reads them', () => {
  expect(bodyText({ a: [-0, 0, 1e300], b: 2 ** 63, c: -(2 ** 63), d: 'x', e: null })).toBe(
    '{"a":[-0,0,1e+300],"b":9223372036854775807,"c":-9223372036854775808,"d":"x","e":null}',
  );
});
