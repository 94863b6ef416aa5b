import { expect, test } from 'vitest';
import type { CopyReport } from './copy-queries.ts';
import { checkWords, copyTitle, countWords, freeName, problemLines, tableName } from './copy-words.ts';

const report: CopyReport = {
  copied: 10_000,
  existing: 0,
  failed: 0,
  unknown: 0,
  total: 10_000,
  isNew: true,
  unavailable: [],
  ended: 'complete',
  inTarget: 10_000,
  compared: 50,
  different: [],
  problems: [],
};

test('the title of a copy says how the copy ended, and sentences report its counts and its check', () => {
  const title = (more: Partial<CopyReport>) => copyTitle({ state: 'done', report: { ...report, ...more } });
  expect(title({})).toBe('The copy is done');
  expect(title({ ended: 'cancelled' })).toBe('The copy was cancelled');
  expect(title({ ended: 'stopped' })).toBe('The copy stopped');
  expect(title({ failed: 1 })).toBe('Some rows were not copied');
  expect(title({ unknown: 1 })).toBe('Some rows may not have been copied');
  expect(title({ inTarget: 9_999 })).toBe('The copy differs from its source');
  expect(copyTitle({ state: 'interrupted', report: null })).toBe('The copy was interrupted');
  expect(countWords({ ...report, existing: 2, failed: 1 })).toBe(
    '10,000 of 10,000 rows copied, 2 were there already, 1 failed',
  );
  expect(checkWords(report)).toBe('Checked: 10,000 rows in the copy; 50 compared, none differs.');
});

test('after a cancel, the rows with problems are listed only if a row failed', () => {
  const problems = ['9001: Sent, but the answer never came: Cancelled'];
  const cancelled: CopyReport = { ...report, ended: 'cancelled', unknown: 1, problems };
  expect(problemLines(cancelled)).toEqual([]);
  expect(problemLines({ ...cancelled, failed: 1 })).toEqual(problems);
  expect(problemLines({ ...cancelled, ended: 'stopped' })).toEqual(problems);
  expect(problemLines({ ...report, different: ['a'] })).toEqual([
    'a: differs from its source, or is missing in the copy',
  ]);
});

test('the words about one row are singular', () => {
  const one = { ...report, copied: 0, existing: 1, total: 1, inTarget: 1, compared: 1, different: ['a'] };
  expect(countWords(one)).toBe('0 of 1 row copied, 1 was there already');
  expect(checkWords(one)).toBe('Checked: 1 row in the copy; 1 compared, 1 differs.');
});

test('the suggested name of a copy is free and follows the style of the original', () => {
  expect(freeName('Mission', [])).toBe('MissionCopy');
  expect(freeName('Mission', ['missioncopy', 'MissionCopy2'])).toBe('MissionCopy3');
  expect(freeName('moons', ['planets'])).toBe('moons_copy');
});

test('a table in another known connection is named with that connection', () => {
  const connections = [{ id: 'b', name: 'Local' }];
  const at = (connectionId: string) => ({ connectionId, table: 'Species' });
  expect(tableName(at('b'), 'a', connections)).toBe('Species in “Local”');
  expect(tableName(at('b'), 'b', connections)).toBe('Species');
  expect(tableName(at('gone'), 'a', connections)).toBe('Species');
});
