import { expect, test } from 'vitest';
import { lineChanges } from './line-changes.ts';

const shown = (before: string, after: string) =>
  lineChanges(before, after).map(
    ({ kind, text }) => `${{ same: ' ', added: '+', removed: '-' }[kind]}${text}`,
  );

test('a new file has only added lines', () => {
  expect(shown('', '{\n}\n')).toEqual(['+{', '+}']);
});

test('lines far from the change are not shown', () => {
  expect(shown('a\nkey\nb\nc\nd\ne\nf\n', 'a\nkey\nb\nc\nnew\nd\ne\nf\n')).toEqual([
    ' b',
    ' c',
    '+new',
    ' d',
    ' e',
  ]);
});

test('a changed line shows the old and the new text', () => {
  expect(shown('{\n  "a": 1\n}', '{\n  "a": 1,\n  "b": 2\n}')).toEqual([
    ' {',
    '-  "a": 1',
    '+  "a": 1,',
    '+  "b": 2',
    ' }',
  ]);
});

test('repeating a line once more shows one added line, and equal texts show no lines', () => {
  expect(shown('a\na\n', 'a\na\na\n')).toEqual([' a', ' a', '+a']);
  expect(shown('a\n', 'a\n')).toEqual([]);
});
