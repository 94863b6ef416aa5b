import type { Core } from '@trestle/core';
import { JobList } from '@trestle/core/testing/jobs';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { AppInfo } from './app-info.ts';
import { Pages } from './pages.ts';
import { appRouter } from './router.ts';

const map = { kind: 'map', connectionId: 'c', table: 'books' } as const;

function listed() {
  const jobs = new JobList({ events: { emit: () => {} }, log: pino({ level: 'silent' }) });
  const pages = new Pages();
  const window = { door: 'window', isPerson: () => true, unlock: () => {} } as const;
  const context = { core: { jobs } as unknown as Core, app: {} as AppInfo, window, pages };
  return { pages, jobs, api: appRouter.createCaller(context).jobs };
}

test('work of a window is listed until its page is gone', async () => {
  const { pages, api, jobs } = listed();
  const close = pages.add('page');
  const id = await api.hold({ ...map, page: 'page' });
  expect(await api.report({ id, done: 1, total: 2, words: '1 of 2' })).toBe(true);
  expect(await api.list()).toMatchObject([{ title: 'Map books', progress: { done: 1 }, outcome: null }]);
  close();
  await jobs.over(id);
  expect(await api.list()).toMatchObject([{ outcome: { how: 'cancelled', words: 'The window was closed' } }]);
  expect(await api.report({ id, done: 2, total: 2, words: '2 of 2' })).toBe(false);
});

test('work of a page that does not read events ends at once', async () => {
  const { api, jobs } = listed();
  const id = await api.hold({ ...map, page: 'other' });
  await jobs.over(id);
  expect(jobs.get(id).outcome).toMatchObject({ how: 'cancelled' });
});

test('the next map of a table takes the place of the last one, and other jobs stay', async () => {
  const { pages, api, jobs } = listed();
  pages.add('page');
  const places = [map, { ...map, kind: 'judging' as const }, { ...map, table: 'other' }];
  for (const place of [...places, ...places]) {
    const id = await api.hold({ ...place, page: 'page' });
    await api.end({ id, how: 'complete', words: 'Drawn' });
    await jobs.over(id);
  }
  expect((await api.list()).map(({ kind, table }) => [kind, table])).toEqual([
    ['map', 'other'],
    ['judging', 'books'],
    ['map', 'books'],
  ]);
});
