import { expect, test } from 'vitest';
import { dateHint, editText, editType, needsRoom, readEdit } from './edit-text.ts';

test('for a plain date, the hint is the instant that is stored', () => {
  expect(dateHint('2026-07-28', 'date')).toBe('2026-07-28T00:00:00Z, midnight UTC');
  expect(dateHint('2026-02-30', 'date')).toBeNull();
  expect(dateHint('2026-07-28T01:00:00Z', 'date')).toBeNull();
  expect(dateHint('2026-07-28', 'text')).toBeNull();
});

test('an editor begins with the value as text, and with empty text for NULL or no value', () => {
  expect(editText(null)).toBe('');
  expect(editText(undefined)).toBe('');
  expect(editText(9007199254740993n)).toBe('9007199254740993');
  expect(editText({ a: 1 })).toBe('{\n  "a": 1\n}');
  expect(editText(new Uint8Array([1, 2]))).toBe('AQI=');
});

test('unchanged text stages nothing, even if it would parse to another value', () => {
  expect(readEdit('', '', 'int')).toEqual({ ok: true, cell: undefined });
  expect(readEdit('42', '42', 'any')).toEqual({ ok: true, cell: undefined });
});

test('changed text is read by the type of the column', () => {
  expect(readEdit('43', '42', 'int')).toEqual({ ok: true, cell: 43 });
  expect(readEdit('x', '42', 'int')).toEqual({ ok: false, problem: 'Expected a whole number such as 42' });
});

test('in a column of type `any`, bytes stay bytes and JSON stays JSON', () => {
  expect(editType('any', new Uint8Array([1]))).toBe('bytes');
  expect(editType('any', [1])).toBe('json');
  expect(editType('any', 'x')).toBe('any');
});

test('JSON, text with line breaks and long text need the large editor', () => {
  expect(needsRoom('json', null)).toBe(true);
  expect(needsRoom('text', 'one\ntwo')).toBe(true);
  expect(needsRoom('text', 'x'.repeat(121))).toBe(true);
  expect(needsRoom('text', 'short')).toBe(false);
});
