import { expect, test } from 'vitest';
import { jsonProblem } from './json-language.ts';

test('a JSON error is at the first unexpected character, or at the end of an incomplete text', () => {
  const long = ', "more": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]}';
  for (const [text, at] of [
    ['x', 0],
    ['{"a": x, "b": 1}', 6],
    [`{"a": x${long}`, 6],
    [`{"first": [1, 2, 3, 4, 5, 6, 7, 8], "a": trux${long}`, 44],
    ['[1,2,,3]', 5],
    ['{"a" 1}', 5],
    ['{"a":1,}', 7],
  ] as const)
    expect(jsonProblem(text)?.at, text).toBe(at);
  expect(jsonProblem('[1, 2')?.at).toBe(5);
  expect(jsonProblem('{"a": [1]}')).toBeNull();
});
