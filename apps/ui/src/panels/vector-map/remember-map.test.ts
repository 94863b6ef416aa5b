import { afterEach, expect, test, vi } from 'vitest';
import { queryClient } from '../../data/queries/queries.ts';
import { queryKeys } from '../../data/queries/query-keys.ts';
import type { DoneMap } from './map-question.ts';
import { MapRows } from './map-rows.ts';
import { rememberMap, watchRows } from './remember-map.ts';
import { mapQuestion } from './testing/map-question.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  queryClient.clear();
});

const done: DoneMap = {
  stage: 'done',
  drawn: { rows: new MapRows(['id'], []), positions: new Float32Array(0) },
  more: false,
  at: 0,
};

/** An app that counts three rows and cannot store a map. */
function stubApp() {
  const asked: string[] = [];
  vi.stubGlobal('localStorage', { getItem: () => 'k' });
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(/[^/?]+(?=[?]|$)/.exec(url)![0]);
    if (url.includes('keepMap')) throw new TypeError('Failed to fetch');
    return Response.json({ result: { data: 3 } });
  });
  return asked;
}

test('a map that cannot be stored still has a fingerprint, so that later changes can be noticed', async () => {
  const asked = stubApp();
  const remembered = await rememberMap(mapQuestion, done, { canReadCells: false, isChanged: () => false });
  expect(remembered).toEqual({ print: { total: 3, sum: '' }, isKept: false, isOutdated: false });
  expect(asked).toEqual(['tables.count', 'keepMap']);
});

test('a map whose rows changed while they were read is outdated, and is not stored', async () => {
  const asked = stubApp();
  const remembered = await rememberMap(mapQuestion, done, { canReadCells: false, isChanged: () => true });
  expect(remembered).toMatchObject({ isKept: false, isOutdated: true });
  expect(asked).toEqual(['tables.count']);
});

test('only changes of the watched table are noticed, and only until the signal aborts', async () => {
  const watching = new AbortController();
  for (const table of ['notes', 'other']) queryClient.setQueryData(queryKeys.rows('c', table, 'count'), 3);
  const isChanged = watchRows('c', 'notes', watching.signal);
  await queryClient.invalidateQueries({ queryKey: queryKeys.rows('c', 'other') });
  expect(isChanged()).toBe(false);
  await queryClient.invalidateQueries({ queryKey: queryKeys.rows('c', 'notes') });
  expect(isChanged()).toBe(true);

  queryClient.setQueryData(queryKeys.rows('c', 'notes', 'count'), 4);
  const isChangedLater = watchRows('c', 'notes', watching.signal);
  watching.abort();
  await queryClient.invalidateQueries({ queryKey: queryKeys.rows('c', 'notes') });
  expect(isChangedLater()).toBe(false);
});
