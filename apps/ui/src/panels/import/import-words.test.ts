import { expect, test } from 'vitest';
import {
  againWords,
  doubledWords,
  isReportColumn,
  missingIdWords,
  reportTitle,
  reportWords,
  sizeWords,
  warningWords,
} from './import-words.ts';

const counts = { stored: 9_000, replaced: 0, existing: 12, failed: 3, unknown: 0 };

test('a report counts every row of the file once', () => {
  const report = { ...counts, rows: 10_000, ended: 'cancelled' as const };
  expect(reportTitle(report)).toBe('The import was cancelled');
  expect(reportWords(report, 4.25)).toBe(
    '9,000 stored, 12 exist already, 3 failed, 985 not sent of 10,000 rows in 4.3 s.',
  );
  const one = { stored: 1, replaced: 0, existing: 0, failed: 0, unknown: 0 };
  expect(reportWords({ ...one, rows: 1, ended: 'complete' }, 1)).toBe('1 stored of 1 row in 1.0 s.');
  expect(reportWords({ ...one, existing: 1, rows: 2, ended: 'complete' }, 1)).toBe(
    '1 stored, 1 exists already of 2 rows in 1.0 s.',
  );
});

test('the title says that the import is done only if every row was answered and none failed', () => {
  const complete = { rows: 1, ended: 'complete' as const };
  expect(reportTitle({ ...counts, ...complete })).toBe('Some rows failed');
  expect(reportTitle({ ...counts, unknown: 1, ...complete })).toBe('Some rows failed or got no answer');
  expect(reportTitle({ ...counts, failed: 0, unknown: 1, ...complete })).toBe('Some rows got no answer');
  expect(reportTitle({ ...counts, failed: 0, ...complete })).toBe('The import is done');
});

test('stored rows with a warning are counted, and the first warning is shown', () => {
  const first = { line: 7, problem: 'Stored, but not indexed' };
  expect(warningWords({})).toBeNull();
  expect(warningWords({ warnings: { rows: 1_200, first } })).toBe(
    '1,200 rows have a warning. The first is at line 7: Stored, but not indexed',
  );
});

test('times and sizes are rounded', () => {
  const report = { ...counts, rows: 9_015, ended: 'complete' as const };
  const times = [0.42, 12.3, 75, 59.7, 119.7].map((seconds) => reportWords(report, seconds).split(' in ')[1]);
  expect(times).toEqual(['0.4 s.', '12 s.', '1 min 15 s.', '1 min 0 s.', '2 min 0 s.']);
  expect([sizeWords(12), sizeWords(2_000), sizeWords(3_500_000)]).toEqual(['12 bytes', '2 kB', '3.3 MB']);
});

test('the advice does not suggest a second import if that would add rows twice', () => {
  expect(againWords(false, 'skip')).toContain('rows that are already stored do not change');
  expect(againWords(true, 'skip')).toContain('A second import would add those rows again');
});

test('the advice to import again depends on the option for existing rows', () => {
  expect(againWords(false, 'replace')).toContain('rows that are already stored are replaced again');
  expect(againWords(false, 'stop')).toContain('again with “Leave them alone” to continue');
});

test('a retry is preceded by a warning only if it could store rows twice', () => {
  expect([doubledWords({ unknown: 0 }, true), doubledWords({ unknown: 5 }, false)]).toEqual([null, null]);
  expect(doubledWords({ unknown: 1 }, true)).toBe(
    '1 row was sent without an answer and may be stored. Trying again would then add it a second time.',
  );
});

test('the columns that Trestle adds to a file of failed rows are recognised, and trestle_id changes the text about missing ids', () => {
  expect(['name', 'trestle_line', 'trestle_error', 'trestle_id'].filter(isReportColumn)).toHaveLength(3);
  expect(missingIdWords('uuid', ['name'])).toContain('derived from the file');
  expect(missingIdWords('uuid', ['trestle_id', 'name'])).toContain('of its first import');
});
