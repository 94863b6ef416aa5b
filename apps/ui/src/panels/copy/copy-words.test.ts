import { expect, test } from 'vitest';
import { type CopyReport, checkWords, freeName, problemLines, tableName } from './copy-words.ts';

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

test('sentences report the check of a copy', () => {
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
  const one = { ...report, inTarget: 1, compared: 1, different: ['a'] };
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
