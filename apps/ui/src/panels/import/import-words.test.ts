import { expect, test } from 'vitest';
import {
  againWords,
  doubledWords,
  isReportColumn,
  missingIdWords,
  sizeWords,
  timeWords,
  warningWords,
} from './import-words.ts';

test('stored rows with a warning are counted, and the first warning is shown', () => {
  const first = { line: 7, problem: 'Stored, but not indexed' };
  expect(warningWords({})).toBeNull();
  expect(warningWords({ warnings: { rows: 1_200, first } })).toBe(
    '1,200 rows have a warning. The first is at line 7: Stored, but not indexed',
  );
});

test('times and sizes are rounded', () => {
  const times = [0.42, 12.3, 75, 59.7, 119.7].map(timeWords);
  expect(times).toEqual(['0.4 s', '12 s', '1 min 15 s', '1 min 0 s', '2 min 0 s']);
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
