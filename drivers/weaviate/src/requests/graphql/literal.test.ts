import { type ConstValueNode, parseConstValue, valueFromASTUntyped } from 'graphql';
import { expect, test } from 'vitest';
import { EnumLiteral, type Literal, printArguments, printLiteral } from './literal.ts';

/** Reads the text with an independent GraphQL parser. */
function read(text: string): unknown {
  return valueFromASTUntyped(parseConstValue(text) as ConstValueNode);
}

const hard = [
  '"',
  '\\',
  '\n',
  '\u0000',
  '\u2028',
  '"""',
  '}',
  ']',
  '#',
  '$',
  '😂',
  '\ud800',
  '\\u0041',
  'é',
  ' ',
  '*',
];

test('a text with special characters does not break out of its quotes', () => {
  let state = 42;
  const next = (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  for (let round = 0; round < 5000; round++) {
    const text = Array.from({ length: next(12) }, () =>
      next(3) === 0 ? String.fromCodePoint(next(0x11000)) : hard[next(hard.length)],
    ).join('');
    expect(read(printLiteral(text))).toBe(text.toWellFormed());
    expect(read(printLiteral({ path: [text], inner: { text } }))).toEqual({
      path: [text.toWellFormed()],
      inner: { text: text.toWellFormed() },
    });
  }
});

test.each<[Literal, string]>([
  [9007199254740993n, '9007199254740993'],
  [1e21, '1000000000000000000000'],
  [-0.5, '-0.5'],
  [true, 'true'],
  [new EnumLiteral('And'), 'And'],
  [{ a: undefined, b: [1, 'x'] }, '{b: [1, "x"]}'],
])('the literal of %o is %s', (value, text) => {
  expect(printLiteral(value)).toBe(text);
});

test.each([Number.NaN, Number.POSITIVE_INFINITY])('%d has no literal', (value) => {
  expect(() => printLiteral(value)).toThrow(RangeError);
});

test('an argument with an invalid name is refused', () => {
  expect(() => printArguments({ 'a: 1, b': 2 })).toThrow(RangeError);
});
