import { expect, test } from 'vitest';
import type { Settings } from '../../data/api/api-types.ts';
import { sizeWords, spaceWords } from './space-words.ts';

const megabyte = 1024 ** 2;

test('the text says how much space each kind of data uses, and what is removed if a kind is nearly full', () => {
  const settings = {
    historyMegabytes: 100,
    activityMegabytes: 200,
    exportsMegabytes: 2_000,
    logsMegabytes: 20,
    mapsMegabytes: 200,
  } as Settings;
  const use = {
    history: { entries: 1_234, bytes: 95 * megabyte },
    activity: { entries: 1, bytes: 0.01 * megabyte },
    exports: { files: 0, bytes: 0 },
    logs: { bytes: 2.5 * megabyte },
    maps: { maps: 2, bytes: 190 * megabyte },
    freeBytes: 0,
  };
  expect(spaceWords(use, settings)).toEqual([
    {
      name: 'History',
      words: '1,234 statements, 95 MB of 100 MB, nearly full: the oldest are removed to make room',
      full: true,
    },
    { name: 'Activity of AI clients', words: '1 entry, less than 0.1 MB of 200 MB', full: false },
    { name: 'Exports of AI clients', words: '0 files, nothing of 2,000 MB', full: false },
    {
      name: 'Vector maps',
      words: '2 maps, 190 MB of 200 MB, nearly full: the least recently used are removed to make room',
      full: true,
    },
    { name: 'Trestle’s own log', words: '2.5 MB of 20 MB', full: false },
  ]);
  expect(sizeWords(2.34 * 1024 * megabyte)).toBe('2.3 GB');
});
