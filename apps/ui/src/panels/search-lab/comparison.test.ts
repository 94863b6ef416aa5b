import type { SearchSupport } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { aboutColumn, settingChips } from './column-words.ts';
import { columnName, columnRequest, newColumn, newComparison, nextMode, settingsFor } from './comparison.ts';

const support: SearchSupport = {
  modes: [
    { mode: 'near_text' },
    { mode: 'near_vector' },
    { mode: 'near_object' },
    { mode: 'keyword' },
    { mode: 'hybrid' },
  ],
  targetVectors: [],
  options: {
    fusions: [
      { name: 'relative', label: 'Relative score' },
      { name: 'ranked', label: 'Ranked' },
    ],
    autocut: ['near_text', 'hybrid'],
    maxDistance: ['near_text'],
    keywordColumns: ['title', 'note'],
    rerank: { columns: ['note'] },
  },
};
const filters = [{ column: 'year', operator: 'equals' as const, value: 1969 }];
const within = { table: 'Mission', filters, match: 'all' as const };
const asked = { text: ' moon ', k: 5, within, support };

test('a new comparison has three modes in a fixed order, and skips modes that the database cannot run', () => {
  expect(newComparison(support).columns.map(({ mode }) => mode)).toEqual(['keyword', 'hybrid', 'near_text']);
  const modes = support.modes.map((one) =>
    one.mode === 'near_text' ? { ...one, refusal: 'No module' } : one,
  );
  const without = { ...support, modes };
  expect(newComparison(without).columns.map(({ mode }) => mode)).toEqual([
    'keyword',
    'hybrid',
    'near_vector',
  ]);
  expect(nextMode(newComparison(support).columns, support)).toBe('near_vector');
  expect(nextMode([newColumn('keyword')], { ...support, modes: [{ mode: 'keyword' }] })).toBe('keyword');
});

test('a column searches with its own settings, with or without the filters', () => {
  const column = { ...newColumn('hybrid'), fusion: 'ranked', autocut: 1, maxDistance: 0.5 };
  expect(columnRequest(column, asked)).toEqual({
    ok: true,
    request: { ...within, limit: 5, mode: 'hybrid', text: 'moon', alpha: 0.75, fusion: 'ranked', autocut: 1 },
  });
  expect(columnRequest({ ...column, filtered: false }, asked)).toMatchObject({ request: { filters: [] } });
  expect(columnName(column)).toBe('Hybrid 0.75');
});

test('a search with groups is not reranked, even if the column has a rerank setting', () => {
  const groupBy = { column: 'title', groups: 2, rowsPerGroup: 1 };
  const column = { ...newColumn('keyword'), groupBy, rerank: { column: 'note' } };
  const support = {
    modes: [],
    targetVectors: [],
    options: { groupBy: { columns: ['title'] }, rerank: { columns: ['note'] } },
  };
  expect(settingsFor(column, support)).toEqual({ groupBy });
});

test('a setting that the database does not offer is not sent, even if the column has the setting', () => {
  const column = {
    ...newColumn('keyword'),
    fusion: 'ranked',
    autocut: 1,
    allWords: true,
    rerank: { column: 'gone' },
    keywordColumns: [
      { column: 'title', weight: 2 },
      { column: 'gone', weight: 1 },
    ],
  };
  expect(columnRequest(column, asked)).toEqual({
    ok: true,
    request: {
      ...within,
      limit: 5,
      mode: 'keyword',
      text: 'moon',
      keywordColumns: [{ column: 'title', weight: 2 }],
    },
  });
  expect(settingChips(column, support, 0)).toEqual([{ text: 'title × 2' }]);
  expect(aboutColumn({ ...column, mode: 'hybrid' }, support)).toBe('ranked fusion');
});

test('vectors that no longer exist and a refused grouping are not sent', () => {
  const now: SearchSupport = {
    ...support,
    targetVectors: ['title', 'plot'],
    options: {
      joins: [{ name: 'sum', label: 'Sum' }],
      groupBy: { columns: ['year'], refusal: 'Needs a newer server' },
    },
  };
  const vectorsOf = (...names: string[]) => ({
    ...newColumn('near_text'),
    groupBy: { column: 'year', groups: 4, rowsPerGroup: 2 },
    targets: { join: 'sum', vectors: names.map((name) => ({ name })) },
  });
  expect(settingsFor(vectorsOf('title', 'gone', 'plot'), now)).toEqual({
    targets: { join: 'sum', vectors: [{ name: 'title' }, { name: 'plot' }] },
  });
  expect(settingsFor(vectorsOf('title', 'gone'), now)).toEqual({});
  expect(aboutColumn(vectorsOf('title', 'gone'), now)).toBe('distance by title');
});

test('a column cannot search while the text, vector or row key of its mode is missing', () => {
  expect(columnRequest(newColumn('keyword'), { ...asked, text: '' })).toMatchObject({ ok: false });
  expect(columnRequest(newColumn('near_vector'), asked)).toMatchObject({ ok: false });
  expect(columnRequest(newColumn('near_object'), asked)).toEqual({
    ok: false,
    problem: 'Enter the key of a row',
  });
  expect(columnRequest({ ...newColumn('near_object'), objectId: ' u1 ' }, asked)).toMatchObject({
    request: { mode: 'near_object', objectId: 'u1' },
  });
});
