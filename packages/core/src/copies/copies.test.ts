import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { AppError } from '../errors.ts';
import { openStorage } from '../storage/storage.ts';
import { temporaryFolder } from '../testing/test-core.ts';
import type { CopyReport, Data } from '../types.ts';
import { createCopies } from './copies.ts';
import { CopyJournal } from './copy-journal.ts';

test('a copy that is continued while the server is down keeps its counts', async () => {
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
  const request = {
    from: { connectionId: 'a', table: 'from' },
    to: { connectionId: 'b', table: 'to' },
    goOn: true,
  };
  const counts = { copied: 40, existing: 2, failed: 0, unknown: 0, total: 100 };
  const id = journal.begin(request);
  journal.end(id, { ...counts, ended: 'stopped' } as CopyReport);
  const ended = Promise.withResolvers<void>();
  let changes = 0;
  const copies = createCopies({
    data: {
      describe: async () => {
        throw new AppError({ code: 'connection_failed', message: 'No server' });
      },
    } as unknown as Data,
    connections: { get: () => null } as never,
    isSerial: () => false,
    journal,
    // The first event says that the copy began, the second that it ended.
    events: { emit: () => void (++changes === 2 && ended.resolve()) },
    log: pino({ level: 'silent' }),
  });
  expect(await copies.begin(request)).toEqual({ id });
  expect(copies.progress(id)).toEqual({ state: 'running', counts });
  await ended.promise;
  expect(copies.progress(id)).toMatchObject({
    state: 'done',
    report: { ...counts, ended: 'stopped', error: { message: 'No server' } },
  });
  expect(copies.list()).toMatchObject([{ state: 'done', counts }]);
});
