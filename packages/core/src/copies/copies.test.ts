import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { AppError } from '../errors.ts';
import { JobList } from '../jobs/jobs.ts';
import { openStorage } from '../storage/storage.ts';
import { temporaryFolder } from '../testing/test-core.ts';
import type { CopyReport, Data } from '../types.ts';
import { createCopies } from './copies.ts';
import { newCursor } from './copy-cursor.ts';
import { CopyJournal } from './copy-journal.ts';

const request = {
  from: { connectionId: 'a', table: 'from' },
  to: { connectionId: 'b', table: 'to' },
  goOn: true,
};

/** Calls `createCopies`, with the connections a and b. `ended` resolves when the first copy ends. */
function startCopies(data: Partial<Record<keyof Data, unknown>>) {
  const storage = openStorage(temporaryFolder());
  onTestFinished(() => storage.close());
  for (const id of ['a', 'b']) {
    storage.run(
      `INSERT INTO connections (id, position, name, driver, fields, stored_secrets, external_clients, ai_policy,
         safe_mode, sample, created_at, updated_at)
       VALUES (?, 1, '', '', '{}', '[]', 'blocked', 'never', 'off', 0, '', '')`,
      id,
    );
  }
  const journal = new CopyJournal(storage);
  const ended = Promise.withResolvers<void>();
  const jobs: JobList = new JobList({
    events: { emit: () => jobs.list()[0]?.outcome && ended.resolve() },
    log: pino({ level: 'silent' }),
  });
  const create = () =>
    createCopies({
      data: data as unknown as Data,
      connections: { get: () => ({ driver: 'fixture' }) } as never,
      isSerial: () => false,
      journal,
      jobs,
    });
  return { copies: create(), create, journal, jobs, ended: ended.promise };
}

test('a copy that is continued while the server is down keeps its counts, and every reader gets its report', async () => {
  const { copies, journal, jobs, ended } = startCopies({
    describe: async () => {
      throw new AppError({ code: 'connection_failed', message: 'No server' });
    },
  });
  const counts = { copied: 40, existing: 2, failed: 0, unknown: 0, total: 100 };
  const id = journal.begin(request);
  journal.end(id, { ...counts, ended: 'stopped' } as CopyReport);
  expect(await copies.begin(request)).toEqual({ id });
  expect(jobs.get(id)).toMatchObject({ outcome: null, detail: { counts } });
  await ended;
  for (let reader = 0; reader < 2; reader++)
    expect(jobs.get(id)).toMatchObject({
      progress: { done: 42, total: 100 },
      outcome: { how: 'failed', error: { message: 'No server' }, canContinue: true },
      detail: { counts, report: { ...counts, ended: 'stopped' } },
    });
});

test('after a restart, only copies that can continue are listed, until they are dismissed', async () => {
  const { create, journal, jobs } = startCopies({});
  const id = journal.begin(request);
  create();
  expect(jobs.list()).toMatchObject([
    { id, kind: 'copy', table: 'to', outcome: { words: 'The copy was interrupted', canContinue: true } },
  ]);
  jobs.forget(id);
  expect(journal.all()).toEqual([]);
});

test('a complete copy is listed in this run of the app, and no more after a restart', async () => {
  const { copies, journal, jobs, ended } = startCopies({
    describe: async () => ({ name: 'from', key: ['id'], columns: [{ name: 'id' }], definition: 'd' }),
    tables: async () => [],
    createTable: async () => {},
    count: async () => 0,
    async *exportRows() {},
    readCells: async () => ({ rowCount: 0, columns: [], values: [] }),
  });
  const { id } = await copies.begin(request);
  await ended;
  expect(jobs.get(id)).toMatchObject({ outcome: { how: 'complete', words: 'The copy is done' } });
  expect(journal.all()).toEqual([]);
});

test('the journal says whether a copy is complete, continues at its cursor, or begins at the first row', () => {
  const { journal } = startCopies({});
  const id = journal.begin(request);
  const cursor = newCursor();
  const whole = {
    ...{ copied: 9, existing: 0, failed: 0, unknown: 0, total: 9, inTarget: 9, compared: 9 },
    ...{ isNew: true, ended: 'complete' as const, unavailable: [], different: [], problems: [] },
  };
  const unfinished = (more: Partial<CopyReport>) => {
    journal.noteCursor(id, cursor, whole);
    journal.end(id, { ...whole, ...more });
    return journal.unfinished(request);
  };
  expect(unfinished({})).toBeNull();
  expect(unfinished({ unavailable: ['cold'] })).toMatchObject({ id, cursor });
  expect(unfinished({ failed: 1 })).toMatchObject({ id, cursor });
  expect(unfinished({ different: ['7'] })).toMatchObject({ id, cursor: null });
  expect(unfinished({ inTarget: 8 })).toMatchObject({ id, cursor: null });
});

test('a first copy that fails after it has counted its rows stays in the journal, with its counts', async () => {
  const { copies, journal, jobs, ended } = startCopies({
    describe: async () => ({ name: 'from', key: ['id'], columns: [{ name: 'id' }], definition: 'd' }),
    tables: async () => [],
    createTable: async () => {},
    count: async () => 100,
    exportRows: () => {
      throw new Error('The disk is full');
    },
  });
  const { id } = await copies.begin(request);
  await ended;
  const error = { code: 'internal', message: 'The disk is full' };
  expect(jobs.get(id)).toMatchObject({ outcome: { error }, detail: { report: { total: 100, error } } });
  expect(journal.all()).toMatchObject([{ id, counts: { total: 100 } }]);
});

test('a copy that is cancelled before it has counted its rows is cancelled without an error, and cannot continue', async () => {
  const { copies, journal, jobs, ended } = startCopies({
    describe: async () => {
      throw new AppError({ code: 'cancelled', message: 'Cancelled' });
    },
  });
  const { id } = await copies.begin(request);
  await ended;
  const { outcome } = jobs.get(id);
  expect(outcome).toMatchObject({ how: 'cancelled', canContinue: false });
  expect(outcome).not.toHaveProperty('error');
  expect(journal.all()).toEqual([]);
});
