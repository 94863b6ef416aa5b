import { expect, test } from 'vitest';
import { readStrictJson } from './strict-json.ts';

test('a text that would overflow the stack of a regular expression is read', () => {
  const { value } = readStrictJson(`"${'\\u0041'.repeat(6_000_000)}"`);
  expect(String(value).length).toBe(6_000_000);
});

test('a body that is nested too deep is refused, and a member called __proto__ is a member like any other', () => {
  expect(() => readStrictJson('['.repeat(100_000))).toThrow(/nested too deeply/);
  const { value, text } = readStrictJson('{"__proto__":{"x":1}}');
  expect(Object.keys(value as object)).toEqual(['__proto__']);
  expect(text).toBe('{"__proto__":{"x":1}}');
});
