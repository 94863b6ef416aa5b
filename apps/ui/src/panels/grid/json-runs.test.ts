import { expect, test } from 'vitest';
import { jsonRuns } from './json-runs.ts';

const shown = (text: string) => jsonRuns(text).map(({ text, isForm }) => (isForm ? `‹${text}›` : text));

test('brackets, quotes, commas, colons and the spaces between them are punctuation; the rest is value', () => {
  expect(shown('["a", "b c"]')).toEqual(['‹["›', 'a', '‹", "›', 'b c', '‹"]›']);
  expect(shown('{"n": 1.5, "b": true}')).toEqual([
    '‹{"›',
    'n',
    '‹": ›',
    '1.5',
    '‹, "›',
    'b',
    '‹": ›',
    'true',
    '‹}›',
  ]);
});

test('inside a string a bracket or an escaped quote is value', () => {
  expect(shown('["a]\\"", 1]')).toEqual(['‹["›', 'a]\\"', '‹", ›', '1', '‹]›']);
});

test('a cut text keeps every character', () => {
  for (const text of ['["a…', '[1, 2…', '{"a": "\\', '', '…']) {
    expect(
      jsonRuns(text)
        .map((run) => run.text)
        .join(''),
    ).toBe(text);
  }
});
