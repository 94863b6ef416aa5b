import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { EventHub } from '../events/events.ts';
import { openLogs } from '../open-logs.ts';
import { EncryptedFile } from '../secrets/encrypted-file.ts';
import type { SecretStore } from '../secrets/secret-store.ts';
import { defaultSettings } from '../settings/settings.ts';
import { openStorage } from '../storage/storage.ts';
import { startKillableProgram } from '../testing/killable-program.ts';
import { temporaryFolder } from '../testing/test-core.ts';
import type { ActivityEntry } from '../types.ts';

const entry: Omit<ActivityEntry, 'id' | 'at'> = {
  action: 'query',
  tokenName: 'Mine',
  clientName: 'Some client',
  connectionId: 'c1',
  outcome: 'ok',
  detail: null,
  durationMs: 1.25,
  rows: 3,
  digest: 'abc',
};

const locked = () => Promise.reject(new Error('locked'));
const unreachable: SecretStore = { get: locked, set: locked, delete: locked, close: () => {} };

/** Opens the log in a folder. `stop` closes it as the app does. */
function logIn(home: string, secrets: SecretStore = new EncryptedFile(home), keepDays = 90) {
  const storage = openStorage(home);
  const silent = pino({ level: 'silent' });
  const { activity: log, close } = openLogs({
    storage,
    secrets,
    events: new EventHub(silent),
    limits: () => defaultSettings,
    anchorMs: 3_600_000,
    activityDays: keepDays,
    retryMs: 3_600_000,
    log: silent,
  });
  const stop = async () => {
    await close();
    storage.close();
  };
  onTestFinished(() => storage.close());
  return { log, storage, stop };
}

async function written(count: number): Promise<string> {
  const home = temporaryFolder();
  const { log, stop } = logIn(home);
  for (let n = 0; n < count; n++) log.record({ ...entry, detail: `row ${n + 1}` });
  await stop();
  return home;
}

test.each(['has its key', 'waits for its key'])(
  'rows of record and recordLater keep their order if the log %s',
  async (when) => {
    const home = temporaryFolder();
    const { log, stop } = logIn(home);
    if (when === 'has its key') await log.verify();
    const wanted: string[] = [];
    for (let n = 1; n <= 40; n++) {
      const detail = `row ${n}`;
      wanted.push(detail);
      if (n % 3 === 0) log.record({ ...entry, detail });
      else log.recordLater({ ...entry, detail });
      if (n % 7 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(log.list({ limit: 100 }).map(({ id, detail }) => [id, detail])).toEqual(
      wanted.map((detail, index) => [index + 1, detail]).reverse(),
    );
    expect(await log.verify()).toEqual({ ok: true, checked: 40 });
    log.recordLater({ ...entry, detail: 'last' });
    await stop();
    const again = logIn(home);
    expect(await again.log.verify()).toEqual({ ok: true, checked: 41 });
  },
);

function tamper(home: string, sql: string): void {
  const database = new DatabaseSync(join(home, 'trestle.db'));
  database.exec(sql);
  database.close();
}

async function check(home: string, secrets?: SecretStore) {
  const { log, stop } = logIn(home, secrets);
  const result = await log.verify();
  await stop();
  return result;
}

test('an untouched log passes the check: an empty log, and a log with rows before and after a restart', async () => {
  expect(await check(await written(0))).toEqual({ ok: true, checked: 0 });
  const home = await written(5);
  const { log, stop } = logIn(home);
  log.record(entry);
  expect(await log.verify()).toEqual({ ok: true, checked: 6 });
  log.record(entry);
  await stop();
  expect(await check(home)).toEqual({ ok: true, checked: 7 });
});

test.each([
  ['a changed row', "UPDATE activity SET outcome = 'denied' WHERE id = 3", /^Row 3 was changed/],
  ['a changed time', "UPDATE activity SET at = '2020-01-01' WHERE id = 1", /^Row 1 was changed/],
  ['a changed last row', 'UPDATE activity SET rows = 4 WHERE id = 5', /^Row 5 was changed/],
  ['a removed row', 'DELETE FROM activity WHERE id = 3', /^Row 3 is missing/],
  ['removed rows', 'DELETE FROM activity WHERE id IN (2, 3)', /^Rows 2 to 3 are missing/],
  ['a removed first row', 'DELETE FROM activity WHERE id = 1', /^Row 1 is missing/],
  ['a removed end', 'DELETE FROM activity WHERE id > 3', /^Rows are missing at the end.*row 5.*row 3/],
  ['everything removed', 'DELETE FROM activity', /^Rows are missing at the end/],
  [
    'everything removed, keys too',
    'DELETE FROM activity; DELETE FROM activity_keys; DELETE FROM sqlite_sequence',
    /key of the log/,
  ],
  [
    'two rows swapped',
    'UPDATE activity SET id = 99 WHERE id = 2; UPDATE activity SET id = 2 WHERE id = 3; UPDATE activity SET id = 3 WHERE id = 99',
    /^Row 2 was changed/,
  ],
  [
    'an added row',
    `INSERT INTO activity SELECT 6, at, action, token_name, client_name, connection_id, outcome, detail, duration_ms,
       rows, digest, hash FROM activity WHERE id = 5`,
    /^Row 6 was changed/,
  ],
  ['an unsealed row', "UPDATE activity SET hash = NULL, detail = 'x' WHERE id = 4", /^Row 4 was changed/],
  [
    'unsealed rows at the end',
    "UPDATE activity SET hash = NULL, detail = 'x' WHERE id > 3",
    /^Row 4 was changed/,
  ],
  [
    'a forged start',
    "INSERT INTO activity_start SELECT 1, 2, hash, (SELECT id FROM activity_keys), 'x' FROM activity WHERE id = 2; DELETE FROM activity WHERE id < 3",
    /^The start mark of the log/,
  ],
])('the check detects %s, also after more rows are written', async (_, sql, problem) => {
  const home = await written(5);
  tamper(home, sql);
  expect(await check(home)).toMatchObject({ ok: false, problem: expect.stringMatching(problem) });
  const { log, stop } = logIn(home);
  log.record(entry);
  await stop();
  expect(await check(home)).toMatchObject({ ok: false });
});

test('a row removed while the app runs is detected too', async () => {
  const home = temporaryFolder();
  const { log } = logIn(home);
  await log.verify();
  log.record(entry);
  log.record(entry);
  tamper(home, 'DELETE FROM activity WHERE id = 2');
  expect(await log.verify()).toMatchObject({
    ok: false,
    problem: expect.stringMatching(/missing at the end/),
  });
});

test('the check detects that the rows were replaced by an older copy', async () => {
  const home = await written(3);
  const { log, storage, stop } = logIn(home);
  storage.run('CREATE TABLE old AS SELECT * FROM activity');
  log.record(entry);
  await stop();
  tamper(home, 'DELETE FROM activity; INSERT INTO activity SELECT * FROM old; DROP TABLE old');
  expect(await check(home)).toMatchObject({
    ok: false,
    problem: expect.stringMatching(/missing at the end/),
  });
});

test('the check reports a lost key, also after the log created a new key', async () => {
  const home = await written(3);
  rmSync(join(home, 'secrets.json'));
  expect(await check(home)).toMatchObject({
    ok: false,
    problem: expect.stringMatching(/^A key of the log is missing/),
  });
});

test('a log with rows of two keys passes the check if both keys are stored', async () => {
  const home = await written(3);
  const other = temporaryFolder();
  const second = logIn(home, new EncryptedFile(other));
  second.log.record(entry);
  await second.stop();
  const file = new EncryptedFile(other);
  for (const name of file.names()) await new EncryptedFile(home).set(name, (await file.get(name))!);
  expect(await check(home)).toEqual({ ok: true, checked: 4 });
});

test('if the keychain answers late, rows are stored before its answer and sealed after it', async () => {
  const home = temporaryFolder();
  const file = new EncryptedFile(home);
  const late = Promise.withResolvers<void>();
  const secrets: SecretStore = {
    get: async (name) => {
      await late.promise;
      return file.get(name);
    },
    set: (name, value) => file.set(name, value),
    delete: (name) => file.delete(name),
    close: () => {},
  };
  const { log, stop } = logIn(home, secrets);
  log.record(entry);
  log.record(entry);
  expect(log.list({ limit: 9 })).toHaveLength(2);
  late.resolve();
  expect(await log.verify()).toEqual({ ok: true, checked: 2 });
  await stop();
  expect(await check(home)).toEqual({ ok: true, checked: 2 });
});

test('if the secret store cannot be read, no row is lost and the check reports the reason', async () => {
  const home = temporaryFolder();
  const { log, stop } = logIn(home, unreachable);
  log.record(entry);
  expect(await log.verify()).toMatchObject({ ok: false, problem: expect.stringMatching(/locked/) });
  await stop();
  expect(await check(home)).toEqual({ ok: true, checked: 1 });
});

test('if the secret store can be read only after the start, the check seals the rows and passes', async () => {
  const home = await written(2);
  const file = new EncryptedFile(home);
  let isLocked = true;
  const secrets: SecretStore = {
    get: (name) => (isLocked ? locked() : file.get(name)),
    set: (name, value) => (isLocked ? locked() : file.set(name, value)),
    delete: (name) => file.delete(name),
    close: () => {},
  };
  const { log, storage, stop } = logIn(home, secrets);
  log.record(entry);
  expect(await log.verify()).toMatchObject({ ok: false, problem: expect.stringMatching(/locked/) });
  isLocked = false;
  expect(await log.verify()).toEqual({ ok: true, checked: 3 });
  log.record(entry);
  expect(await log.verify()).toEqual({ ok: true, checked: 4 });
  storage.run("UPDATE activity SET detail = 'other' WHERE id = 3");
  expect(await log.verify()).toMatchObject({
    ok: false,
    problem: expect.stringMatching(/^Row 3 was changed/),
  });
  await stop();
});

test('rows that were changed or removed before the secret store could be read are detected', async () => {
  for (const sql of [
    "UPDATE activity SET detail = 'other' WHERE id = 1",
    'DELETE FROM activity WHERE id = 2',
  ]) {
    const home = await written(2);
    const file = new EncryptedFile(home);
    let isLocked = true;
    const { log, storage, stop } = logIn(home, {
      get: (name) => (isLocked ? locked() : file.get(name)),
      set: (name, value) => file.set(name, value),
      delete: (name) => file.delete(name),
      close: () => {},
    });
    expect(await log.verify()).toMatchObject({ ok: false });
    storage.run(sql);
    log.record(entry);
    isLocked = false;
    expect(await log.verify()).toMatchObject({ ok: false });
    await stop();
  }
});

test('after pruning, the rows that are left can still be checked', async () => {
  const home = temporaryFolder();
  const first = logIn(home, unreachable);
  for (let n = 0; n < 3; n++) first.log.record(entry);
  await first.stop();
  // The rows are not sealed yet, so their dates can still be changed.
  tamper(home, "UPDATE activity SET at = '2020-01-01T00:00:00.000Z' WHERE id < 3");
  // This check opens the log, which prunes the two old rows.
  await check(home);
  expect(await check(home)).toEqual({ ok: true, checked: 1 });
  const { log, stop } = logIn(home);
  log.record(entry);
  await stop();
  expect(await check(home)).toEqual({ ok: true, checked: 2 });
  tamper(home, 'DELETE FROM activity WHERE id = 3');
  expect(await check(home)).toMatchObject({ ok: false, problem: 'Row 3 is missing.' });
});

test('a log from which all rows were pruned continues its row numbers', async () => {
  const home = await written(3);
  const pruned = logIn(home, new EncryptedFile(home), -1);
  await pruned.stop();
  const { log, stop } = logIn(home);
  expect(await log.verify()).toEqual({ ok: true, checked: 0 });
  expect(log.list({ limit: 9 })).toEqual([]);
  log.record(entry);
  expect(log.list({ limit: 9 })).toMatchObject([{ id: 4 }]);
  await stop();
  expect(await check(home)).toEqual({ ok: true, checked: 1 });
});

test('a kill soon after a row is written does not look like tampering', async () => {
  const home = temporaryFolder();
  const program = `
    import { pino } from 'pino';
    import { EventHub } from ${JSON.stringify(join(import.meta.dirname, '../events/events.ts'))};
    import { defaultSettings } from ${JSON.stringify(join(import.meta.dirname, '../settings/settings.ts'))};
    import { openLogs } from ${JSON.stringify(join(import.meta.dirname, '../open-logs.ts'))};
    import { EncryptedFile } from ${JSON.stringify(join(import.meta.dirname, '../secrets/encrypted-file.ts'))};
    import { openStorage } from ${JSON.stringify(join(import.meta.dirname, '../storage/storage.ts'))};
    const home = ${JSON.stringify(home)};
    const log = pino({ level: 'silent' });
    const { activity } = openLogs({ storage: openStorage(home), secrets: new EncryptedFile(home), events: new EventHub(log), limits: () => defaultSettings, anchorMs: 5, activityDays: 90, retryMs: 5, log });
    for (;;) {
      activity.record(${JSON.stringify(entry)});
      process.stdout.write('row\\n');
      await new Promise((done) => setTimeout(done, 1));
    }`;
  for (let round = 1; round <= 3; round++) {
    const child = startKillableProgram(program);
    let rows = 0;
    const lines = createInterface(child.stdout);
    lines.on('line', () => {
      if (++rows === 20 + round * 7) child.kill('SIGKILL');
    });
    await once(lines, 'close');
    const result = await check(home);
    expect(result).toEqual({ ok: true, checked: expect.any(Number) });
    expect(result.checked).toBeGreaterThanOrEqual(rows);
  }
});

test('if the app was killed before the first anchor was stored, the log of the next start passes the check', async () => {
  const home = temporaryFolder();
  const file = new EncryptedFile(home);
  const killed = logIn(home, {
    get: (name) => file.get(name),
    set: (name, value) => (name === 'activity/anchor' ? locked() : file.set(name, value)),
    delete: (name) => file.delete(name),
    close: () => {},
  });
  await killed.stop();
  const { log, stop } = logIn(home);
  expect(await log.verify()).toEqual({ ok: true, checked: 0 });
  log.record(entry);
  expect(await log.verify()).toEqual({ ok: true, checked: 1 });
  await stop();
});

test.each([
  ['half of a surrogate pair', 'table \ud800'],
  ['a cut inside a surrogate pair', '😀'.repeat(4_000).slice(1)],
])('a detail with %s passes the check', async (_, detail) => {
  const { log, stop } = logIn(temporaryFolder());
  await log.verify();
  log.record({ ...entry, detail });
  expect(await log.verify()).toEqual({ ok: true, checked: 1 });
  await stop();
});

test('the log is filtered, paged and exported', async () => {
  const { log } = logIn(temporaryFolder());
  log.record({ ...entry, action: 'authenticate', outcome: 'denied', tokenName: null, connectionId: null });
  log.record({ ...entry, clientName: '=cmd()', detail: 'a "quoted", 100% text\nwith lines' });
  log.record({ ...entry, connectionId: 'c2', tokenName: 'Other' });
  const ids = (filter: Parameters<typeof log.exportCsv>[0]) =>
    log.list({ limit: 9, ...filter }).map(({ id }) => id);
  expect(ids({})).toEqual([3, 2, 1]);
  expect(log.list({ limit: 1, before: 3 }).map(({ id }) => id)).toEqual([2]);
  expect(ids({ tokenName: 'Mine' })).toEqual([2]);
  expect(ids({ clientName: 'Some client' })).toEqual([3, 1]);
  expect(ids({ connectionId: 'c2' })).toEqual([3]);
  expect(ids({ action: 'authenticate' })).toEqual([1]);
  expect(ids({ outcome: 'ok', connectionId: 'c1' })).toEqual([2]);
  expect(ids({ text: '100%' })).toEqual([2]);
  expect(ids({ text: '100_' })).toEqual([]);
  expect(ids({ until: '2020-01-01' })).toEqual([]);
  expect(ids({ since: '2020-01-01' })).toEqual([3, 2, 1]);
  const csv = [...log.exportCsv({ connectionId: 'c1' })].join('');
  const [head, ...lines] = csv.split('\r\n');
  expect(head).toBe('id,at,action,outcome,tokenName,clientName,connectionId,detail,durationMs,rows,digest');
  expect(lines.join('|')).toMatch(
    /^2,[\dTZ:.-]+,query,ok,Mine,'=cmd\(\),c1,"a ""quoted"", 100% text\nwith lines",1.25,3,abc\|$/,
  );
});
