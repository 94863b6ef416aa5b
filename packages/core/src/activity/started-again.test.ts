import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { EventHub } from '../events/events.ts';
import { openLogs } from '../open-logs.ts';
import { EncryptedFile } from '../secrets/encrypted-file.ts';
import type { SecretStore } from '../secrets/secret-store.ts';
import { defaultSettings } from '../settings/settings.ts';
import { openOrSetAside } from '../storage/set-aside.ts';
import { temporaryFolder } from '../testing/test-core.ts';

const entry = { action: 'query', outcome: 'ok' } as const;

/** The log of an app that starts on the folder, and sets a damaged `trestle.db` aside. */
function start(home: string, { secrets = new EncryptedFile(home), keepDays = 90 }: Options = {}) {
  const { storage } = openOrSetAside(home);
  onTestFinished(() => storage.close());
  const log = pino({ level: 'silent' });
  const { activity, close } = openLogs({
    ...{ storage, secrets, events: new EventHub(log), limits: () => defaultSettings, log },
    ...{ anchorMs: 3_600_000, activityDays: keepDays, retryMs: 3_600_000 },
  });
  const stop = async () => {
    await close();
    storage.close();
  };
  return { activity, storage, stop };
}

interface Options {
  secrets?: SecretStore;
  keepDays?: number;
}

async function written(home: string, rows: number): Promise<void> {
  const { activity, stop } = start(home);
  for (let row = 0; row < rows; row++) activity.record(entry);
  await stop();
}

function spoil(home: string): void {
  writeFileSync(join(home, 'trestle.db'), 'This is no database. '.repeat(500));
}

async function check(home: string) {
  const { activity, stop } = start(home);
  const result = await activity.verify();
  await stop();
  return result;
}

const begunAfter = (row: number) =>
  expect.stringMatching(
    new RegExp(
      `^The log started again at \\S+: trestle\\.db was damaged and set aside as trestle\\.db\\.damaged-\\S+, which has the earlier entries\\. Rows 1 to ${row} are not in the new log\\.$`,
    ),
  );

test('after trestle.db was set aside, the check says that the log started again, and not that it was changed', async () => {
  const home = temporaryFolder();
  await written(home, 3);
  spoil(home);
  const { activity, stop } = start(home);
  activity.record(entry);
  expect(await activity.verify()).toEqual({ ok: true, checked: 2, begun: begunAfter(3) });
  expect(activity.list({ limit: 9 }).map(({ id, action }) => [id, action])).toEqual([
    [5, 'query'],
    [4, 'begin_log'],
  ]);
  await stop();
  await written(home, 2);
  expect(await check(home)).toEqual({ ok: true, checked: 4, begun: begunAfter(3) });
  // The file is damaged a second time.
  spoil(home);
  expect(await check(home)).toEqual({ ok: true, checked: 1, begun: begunAfter(7) });
});

test('in a log that started again, rows written before the key arrives are sealed in their order', async () => {
  const home = temporaryFolder();
  await written(home, 2);
  spoil(home);
  const file = new EncryptedFile(home);
  const late = Promise.withResolvers<void>();
  const get = (name: string) => late.promise.then(() => file.get(name));
  const secrets: SecretStore = { ...bound(file), get };
  const { activity, stop } = start(home, { secrets });
  for (const detail of ['a', 'b', 'c', 'd']) activity.record({ ...entry, detail });
  late.resolve();
  expect(await activity.verify()).toEqual({ ok: true, checked: 5, begun: begunAfter(2) });
  activity.record({ ...entry, detail: 'e' });
  expect(activity.list({ limit: 5 }).map(({ id, detail }) => [id, detail])).toEqual([
    [8, 'e'],
    [7, 'd'],
    [6, 'c'],
    [5, 'b'],
    [4, 'a'],
  ]);
  await stop();
  expect(await check(home)).toEqual({ ok: true, checked: 6, begun: begunAfter(2) });
});

test.each([
  ['a removed row', 'DELETE FROM activity WHERE id = 5', /^Row 5 is missing/],
  ['a removed first row', 'DELETE FROM activity WHERE id = 4', /^Row 4 is missing/],
  ['a changed beginning', "UPDATE activity SET detail = 'x' WHERE id = 4", /^Row 4 was changed/],
  ['everything removed', 'DELETE FROM activity', /missing at the end/],
])('in a log that started again, the check detects %s', async (_, sql, problem) => {
  const home = temporaryFolder();
  await written(home, 3);
  spoil(home);
  await written(home, 2);
  const { storage } = openOrSetAside(home);
  storage.run(sql);
  storage.close();
  expect(await check(home)).toMatchObject({ ok: false, problem: expect.stringMatching(problem) });
});

test('a log that started again is pruned like any other, and then the check no longer says that it started again', async () => {
  const home = temporaryFolder();
  await written(home, 3);
  spoil(home);
  await written(home, 2);
  await start(home, { keepDays: -1 }).stop();
  await written(home, 1);
  expect(await check(home)).toEqual({ ok: true, checked: 1 });
});

test('if the secrets have no anchor of the lost log, the check does not say which rows are missing', async () => {
  const home = temporaryFolder();
  spoil(home);
  expect(await check(home)).toEqual({
    ok: true,
    checked: 1,
    begun: expect.stringMatching(/^The log started again .* earlier entries\.$/),
  });
});

function bound(file: EncryptedFile): SecretStore {
  return {
    get: (name) => file.get(name),
    set: (name, value) => file.set(name, value),
    delete: (name) => file.delete(name),
    close: () => {},
  };
}
