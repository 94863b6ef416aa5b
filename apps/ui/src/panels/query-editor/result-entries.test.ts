import { type RunResult, rowSetFromCells } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { firstToShow, resultEntries, shortText, suggestedName } from './result-entries.ts';
import type { Finished } from './use-run-query.ts';

const rows = (count: number, title?: string): RunResult => ({
  kind: 'rows',
  rows: rowSetFromCells(
    [{ name: 'a', type: 'int', nativeType: 'int' }],
    Array.from({ length: count }, (_, at) => [at]),
  ),
  truncated: false,
  ...(title !== undefined && { title }),
});
const done = (text: string, ...results: RunResult[]): Finished =>
  ({
    state: 'done',
    text,
    outcome: { results, messages: [], effect: 'read', durationMs: 1 },
  }) as never;
const failed = (text: string): Finished => ({ state: 'failed', text, error: new Error('no'), afterMs: 1 });
const labels = (...finished: Finished[]) =>
  resultEntries({ finished, left: 0 }).map(({ label, count }) =>
    count === undefined ? label : `${label} ${count}`,
  );

test('the results of a single statement are labelled by their titles, or else as Result', () => {
  expect(labels(done('SELECT 1', rows(1)))).toEqual(['Result 1']);
  expect(labels(done('{ Get }', rows(2, 'A'), rows(3, 'B')))).toEqual(['A 2', 'B 3']);
  expect(labels(done('DELETE', { kind: 'affected', rows: 3 }))).toEqual(['Result']);
});

test('among several statements, rows with a title are labelled by it, and any other result by its statement', () => {
  const document: RunResult = { kind: 'document', title: 'HTTP 200', document: {} };
  expect(
    labels(
      done('GET /schema', document),
      done('{ Get { A } }', rows(2, 'A')),
      done('SELECT  1\nAS a', rows(1)),
      failed('SELECT ('),
    ),
  ).toEqual(['GET /schema', 'A 2', 'SELECT 1 AS a 1', 'SELECT (']);
});

test('a batch shows the statement that failed, or else its first result', () => {
  const batch = { finished: [done('SELECT 1', rows(1)), failed('SELECT (')], left: 1 };
  expect(firstToShow(batch, resultEntries(batch))).toBe('1');
  const whole = { finished: batch.finished.slice(0, 1), left: 0 };
  expect(firstToShow(whole, resultEntries(whole))).toBe('0.0');
});

test('a short text leaves out the comments before the statement, and no character is cut in two', () => {
  expect(shortText(`-- note\n# more\nSELECT ${'👍'.repeat(40)}`)).toBe(`SELECT ${'👍'.repeat(25)}…`);
});

test('a name uses at most the first 1,000 characters of a text, without the white space at its ends', () => {
  expect(shortText(`a${' '.repeat(2000)}b`)).toBe('a …');
  expect(shortText(`${' '.repeat(2000)}SELECT 1${' '.repeat(2000)}`)).toBe('SELECT 1');
});

test('a query is named after the comment at its start, or else by its first words', () => {
  expect(suggestedName('# Crewed flights\n{ Get { A } }')).toBe('Crewed flights');
  expect(suggestedName('\n-- All\nSELECT 1')).toBe('All');
  expect(suggestedName('SELECT 1 -- one')).toBe('SELECT 1 -- one');
  expect(suggestedName(`-- a${'👍'.repeat(90)}`)).toBe(`a${'👍'.repeat(79)}`);
});
