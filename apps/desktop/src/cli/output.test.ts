import { AppError } from '@trestle/core';
import { expect, test, vi } from 'vitest';
import { printJson, printTable, sentenceOf, showProgress } from './output.ts';
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

test('JSON, names and errors show characters that a terminal obeys or hides', () => {
  let json = '';
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    json += String(text);
    return true;
  });
  const hostile = 'a\u009b2J\u0085\u202eb\u2028\u3164\u{e0161}';
  printJson([{ statement: hostile }]);
  write.mockRestore();
  expect(json).toMatch(/^[\x20-\x7e\n]+$/);
  expect(JSON.parse(json)).toEqual([{ statement: hostile }]);
  expect(sentenceOf(new Error(hostile))).toBe('a�2J��b���');
  expect(sentenceOf(new Error('❤\ufe0f 👩\u200d💻'))).toBe('❤\ufe0f 👩\u200d💻');
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

test('progress is one line that changes: it is not written twice, fits the terminal, and is cleared only if shown', () => {
  const written: string[] = [];
  const stream = { isTTY: true, columns: 10, write: (text: string) => written.push(text) } as never;
  showProgress('', stream);
  for (const text of ['1 of 2 rows', '1 of 2 rows', '2', '', '']) showProgress(text, stream);
  expect(written).toEqual(['\r\u001b[K1 of 2 ro', '\r\u001b[K2', '\r\u001b[K']);
});
