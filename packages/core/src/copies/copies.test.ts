import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { AppError } from '../errors.ts';
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
  let changes = 0;
  const copies = createCopies({
    data: data as unknown as Data,
    connections: { get: () => ({ driver: 'fixture' }) } as never,
    isSerial: () => false,
    journal,
    // The first event says that the copy began, the second that it ended.
    events: { emit: () => void (++changes === 2 && ended.resolve()) },
    log: pino({ level: 'silent' }),
  });
  return { copies, journal, ended: ended.promise };
}

test('a copy that is continued while the server is down keeps its counts', async () => {
  const { copies, journal, ended } = startCopies({
    describe: async () => {
      throw new AppError({ code: 'connection_failed', message: 'No server' });
    },
  });
  const counts = { copied: 40, existing: 2, failed: 0, unknown: 0, total: 100 };
  const id = journal.begin(request);
  journal.end(id, { ...counts, ended: 'stopped' } as CopyReport);
  expect(await copies.begin(request)).toEqual({ id });
  expect(copies.progress(id)).toEqual({ state: 'running', counts });
  await ended;
  expect(copies.progress(id)).toMatchObject({
    state: 'done',
    report: { ...counts, ended: 'stopped', error: { message: 'No server' } },
  });
  expect(copies.list()).toMatchObject([{ state: 'done', counts }]);
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

test('a first copy that fails after it has counted its rows stays in the list, with its counts', async () => {
  const { copies, ended } = startCopies({
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
  const report = { total: 100, ended: 'stopped', error: { code: 'internal', message: 'The disk is full' } };
  expect(copies.progress(id)).toMatchObject({ state: 'done', report });
  expect(copies.list()).toMatchObject([{ id, state: 'done', counts: { total: 100 } }]);
});

test('a copy that is cancelled before it has counted its rows is reported as cancelled, without an error', async () => {
  const { copies, ended } = startCopies({
    describe: async () => {
      throw new AppError({ code: 'cancelled', message: 'Cancelled' });
    },
  });
  const { id } = await copies.begin(request);
  await ended;
  const progress = copies.progress(id);
  expect(progress).toMatchObject({ state: 'done', report: { ended: 'cancelled' } });
  expect(progress).not.toHaveProperty('report.error');
});
