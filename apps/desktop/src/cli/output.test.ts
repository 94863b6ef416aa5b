import { AppError } from '@trestle/core';
import { expect, test, vi } from 'vitest';
import { printTable, sentenceOf } from './output.ts';
import { expiryOf } from './token-expiry.ts';

test('an error is printed in one line, with its hint if it has one', () => {
  expect(sentenceOf(new AppError({ code: 'conflict', message: 'It is there', hint: 'Use --replace.' }))).toBe(
    'It is there. Use --replace.',
  );
  expect(sentenceOf(new Error('two\n  lines'))).toBe('two; lines');
});

test('names and error messages cannot send control sequences to the terminal', () => {
  const lines: string[] = [];
  const log = vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
  printTable(['name', 'id'], [['\u001b[2Jgone\n', '1']]);
  log.mockRestore();
  expect(lines).toEqual(['NAME       ID', '�[2Jgone�  1']);
  expect(sentenceOf(new Error('the server says: \u001b]0;owned\u0007'))).toBe('the server says: �]0;owned�');
});

test('an expiry is a span or a time in the future', () => {
  const now = Date.parse('2030-01-01T00:00:00Z');
  expect(expiryOf(undefined, now)).toBeNull();
  expect(expiryOf('30d', now)).toBe('2030-01-31T00:00:00.000Z');
  expect(expiryOf('90m', now)).toBe('2030-01-01T01:30:00.000Z');
  expect(expiryOf('2030-02-01', now)).toBe('2030-02-01T00:00:00.000Z');
  expect(() => expiryOf('2029-12-31', now)).toThrow('is in the past');
  expect(() => expiryOf('soon', now)).toThrow('not "soon"');
});
