import { expect, test } from 'vitest';
import { summaryLines } from './import-report.ts';

const told = {
  isDry: false,
  table: 'Pet',
  failedFile: null,
  incompleteFile: null,
  hasNewIds: false,
  replaces: false,
};

test('the advice to run an import again says what happens to the stored rows', () => {
  const counts = { rows: 10, stored: 4, replaced: 0, existing: 0, failed: 1, unknown: 0 };
  const report = { ...counts, ended: 'cancelled' as const };
  const last = (change: Partial<typeof told>) => summaryLines(report, { ...told, ...change }).at(-1);
  expect(last({})).toBe('Run the same command again to continue: stored rows do not change.');
  expect(last({ replaces: true })).toBe(
    'Run the same command again to continue: stored rows are replaced again.',
  );
  expect(last({ hasNewIds: true, replaces: true })).toContain(
    'would store the rows without an id a second time',
  );
  expect(summaryLines(report, { ...told, failedFile: '/f', replaces: true })).toContain(
    'Run the same command again with another file for --failed to continue: stored rows are replaced again.',
  );
});

test('a dry run that did not reach the end says why, and how many rows it did not check', () => {
  const counts = { rows: 100, stored: 10, replaced: 0, existing: 0, failed: 5, unknown: 0 };
  const dry = { ...told, isDry: true };
  const first = '10 of 100 rows fit Pet, 85 were not checked. Nothing was sent.';
  expect(summaryLines({ ...counts, ended: 'cancelled' }, dry)).toEqual([first, 'Cancelled.']);
  const error = {
    code: 'invalid_argument' as const,
    message: 'pets.csv was changed',
    hint: 'Import it again.',
  };
  expect(summaryLines({ ...counts, ended: 'stopped', error }, dry)).toEqual([
    first,
    'Stopped: pets.csv was changed. Import it again.',
  ]);
  expect(summaryLines({ ...counts, rows: 15, ended: 'complete' }, dry)).toEqual([
    '10 of 15 rows fit Pet. Nothing was sent.',
  ]);
});

test('rows without an answer are not called failed, and the advice says what a second import does to them', () => {
  const counts = { rows: 10, stored: 7, replaced: 0, existing: 0, failed: 0, unknown: 3 };
  const last = (failed: number, change: Partial<typeof told> = {}) =>
    summaryLines(
      { ...counts, failed, stored: 7 - failed, ended: 'complete' },
      { ...told, ...change, failedFile: '/f' as never },
    ).slice(1);
  const unanswered = 'The rows without an answer are in /f and may be stored.';
  expect(last(0)).toEqual([`${unanswered} Import that file: stored rows do not change.`]);
  expect(last(0, { replaces: true })).toEqual([
    `${unanswered} Import that file: stored rows are replaced again.`,
  ]);
  expect(last(0, { hasNewIds: true })).toEqual([
    `${unanswered} Remove the stored rows from that file before you import it. Otherwise they are stored a second time.`,
  ]);
  expect(last(2)).toEqual([
    'The rows that failed are in /f. Correct them there and import that file.',
    `${unanswered} Import that file: stored rows do not change.`,
  ]);
});

test('a file of failed rows that could not be completed is named', () => {
  const error = { code: 'storage_failed', message: 'The failed rows could not be written: ENOSPC' } as const;
  const report = { rows: 3, stored: 0, replaced: 0, existing: 0, failed: 2, unknown: 0 };
  const lines = summaryLines({ ...report, ended: 'stopped', error }, { ...told, incompleteFile: '/f' });
  expect(lines.at(-1)).toBe('/f is incomplete. Delete it before you import again.');
});
