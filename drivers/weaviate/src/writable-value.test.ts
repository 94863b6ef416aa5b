import type { Cell } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
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
