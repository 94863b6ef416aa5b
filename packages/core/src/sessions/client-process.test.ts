import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { newConnectionDraft } from '../index.ts';
import { writeFixtureDriver } from '../testing/fixture-driver.ts';
import { accessTo, client, fixtureDraft, root, temporaryFolder, testCore } from '../testing/test-core.ts';
import type { Timing } from '../timing.ts';
import type { Core } from '../types.ts';

/** A serial driver has a second process for the calls of external clients. */

const numbers = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)';
const endless = {
  'touches no table': `${numbers} SELECT count(*) FROM n`,
  'reads the table': `${numbers} SELECT count(*) FROM n, planets`,
  'writes the table': `INSERT INTO planets (name) ${numbers} SELECT hex(randomblob(500)) FROM n`,
};
const page = { table: 'planets', filters: [], match: 'all' as const, sort: [], limit: 10, offset: 0 };
const madeWay = /^The user needed this database .* Run it again/;

async function openPlanets(timing: Partial<Timing> = {}) {
  const { core, events } = await testCore({
    bundledDrivers: [join(root, 'dist', 'drivers', 'sqlite')],
    timing,
  });
  const file = join(temporaryFolder(), 'planets.db');
  const database = new DatabaseSync(file);
  database.exec(`CREATE TABLE planets (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
    INSERT INTO planets (name) VALUES ('Mercury'), ('Venus');
    CREATE VIEW numbers AS ${numbers} SELECT i FROM n;
    CREATE TRIGGER slow BEFORE INSERT ON planets WHEN new.name = 'slow'
      BEGIN SELECT count(*) FROM numbers; END`);
  database.close();
  const { id } = await core.connections.create({
    ...newConnectionDraft(core.drivers.get('sqlite')!),
    name: 'Planets',
    fields: { file },
    externalClients: 'readWrite',
    aiPolicy: 'alwaysAllow',
  });
  return { core, events, id };
}

/**
 * Starts a statement as a client. Returns when the statement has locked the file, or, if it touches no table, when the
 * session is connected. `outcome` resolves when the statement ends.
 */
async function runAsClient(core: Core, id: string, text: string) {
  const stop = new AbortController();
  const outcome = core.data.runQuery(accessTo(id, client(), stop.signal), { text, limit: 1 }).then(
    () => 'done',
    (error: Error) => error.message,
  );
  await expect.poll(() => core.sessions.status(id, client()).state).toBe('connected');
  if (text !== endless['touches no table'])
    await expect.poll(() => isLocked(core, id, 'BEGIN EXCLUSIVE')).toBe(true);
  return { outcome, stop };
}

function isLocked(core: Core, id: string, statement: string): boolean {
  const database = new DatabaseSync(String(core.connections.get(id)!.fields.file), { timeout: 0 });
  try {
    database.exec(statement);
    return false;
  } catch {
    return true;
  } finally {
    database.close();
  }
}

/** Renames a planet as the user, and expects that the save is applied. */
async function rename(core: Core, id: string, name: string): Promise<void> {
  const changes = [{ kind: 'update' as const, id: 'change', key: { id: 1 }, values: { name } }];
  const reports = await Array.fromAsync(core.data.applyChanges(accessTo(id), { table: 'planets', changes }));
  expect(reports.flatMap(({ outcomes }) => outcomes)).toEqual([{ id: 'change', status: 'applied' }]);
}

test("a client's endless statement that touches no table blocks neither the user's reads nor a save", async () => {
  const { core, id } = await openPlanets();
  const { outcome, stop } = await runAsClient(core, id, endless['touches no table']);
  const { rows } = await core.data.browse(accessTo(id), page);
  expect(rows.rowCount).toBe(2);
  await rename(core, id, 'Hermes');
  expect(core.sessions.status(id).pid).not.toBe(core.sessions.status(id, client()).pid);
  stop.abort();
  expect(await outcome).toBe('The request was cancelled.');
});

test.each(Object.entries(endless).slice(1))(
  "a client's endless statement that %s ends with an error when the user needs the file",
  async (_case, text) => {
    const { core, id } = await openPlanets();
    const { outcome } = await runAsClient(core, id, text);
    await rename(core, id, 'Hermes');
    expect(await outcome).toMatch(madeWay);
    const second = await runAsClient(core, id, text);
    await core.data.runQuery(accessTo(id), { text: 'UPDATE planets SET id = id WHERE id = 1', limit: 1 });
    expect(await second.outcome).toMatch(madeWay);
    const { rows } = await core.data.browse(accessTo(id), page);
    expect(rows.values[1]).toMatchObject({ cells: ['Hermes', 'Venus'] });
    const again = await core.data.browse(accessTo(id, client()), page);
    expect(again.rows).toEqual(rows);
    expect(core.activity.list({ limit: 9 }).map(({ action, outcome }) => [action, outcome])).toEqual([
      ['browse', 'ok'],
      ['query', 'cancelled'],
      ['query', 'cancelled'],
    ]);
  },
);

test("if the app ends a client's call for the user, the client's next waiting call runs", async () => {
  const { core, id } = await openPlanets();
  const { outcome } = await runAsClient(core, id, endless['writes the table']);
  const waiting = core.data.browse(accessTo(id, client()), page);
  await rename(core, id, 'Hermes');
  expect(await outcome).toMatch(madeWay);
  const { rows } = await waiting;
  expect(rows.values[1]).toMatchObject({ cells: ['Hermes', 'Venus'] });
});

test("if the user reads a file that a client's save has locked, the save is rolled back", async () => {
  const { core, id } = await openPlanets();
  const changes = ['Vulcan', 'slow'].map((name) => ({ kind: 'insert' as const, id: name, values: { name } }));
  const saving = Array.fromAsync(
    core.data.applyChanges(accessTo(id, client()), { table: 'planets', changes }),
  );
  const outcome = saving.then(
    () => 'done',
    (error: Error) => error.message,
  );
  await expect.poll(() => isLocked(core, id, 'SELECT * FROM planets')).toBe(true);
  expect((await core.data.browse(accessTo(id), page)).rows.rowCount).toBe(2);
  expect(await outcome).toMatch(madeWay);
});

test("a client's export that locks the file ends with an error when the user saves", async () => {
  const { core, id } = await openPlanets();
  await core.data.runQuery(accessTo(id), {
    text: `INSERT INTO planets (name) ${numbers} SELECT hex(randomblob(50)) FROM n LIMIT 20000`,
    limit: 1,
  });
  const rows = core.data.exportRows(accessTo(id, client()), page)[Symbol.asyncIterator]();
  await rows.next();
  await rename(core, id, 'Hermes');
  await expect(rows.next()).rejects.toMatchObject({ message: expect.stringMatching(madeWay) });
});

test("if the clients' process is killed, the user's session stays connected", async () => {
  const { core, id, events } = await openPlanets();
  await core.data.tables(accessTo(id));
  const before = events.length;
  const { outcome } = await runAsClient(core, id, endless['touches no table']);
  process.kill(core.sessions.status(id, client()).pid!, 'SIGKILL');
  expect(await outcome).toBe('The SQLite driver stopped unexpectedly (signal SIGKILL).');
  expect(core.sessions.status(id).state).toBe('connected');
  expect(events.slice(before).filter(({ type }) => type === 'sessionChanged')).toEqual([]);
  expect(await core.data.tables(accessTo(id, client()))).toHaveLength(2);
});

test('closing the connection disconnects the user and the clients', async () => {
  const { core, id } = await openPlanets();
  await Promise.all([core.data.tables(accessTo(id)), core.data.tables(accessTo(id, client()))]);
  const states = () => [core.sessions.status(id).state, core.sessions.status(id, client()).state];
  expect(states()).toEqual(['connected', 'connected']);
  await core.sessions.close(id);
  expect(states()).toEqual(['disconnected', 'disconnected']);
});

test("the clients' process ends when no call came for a while", async () => {
  const { core, id } = await openPlanets({ clientIdleMs: 200 });
  await Promise.all([core.data.tables(accessTo(id)), core.data.tables(accessTo(id, client()))]);
  await expect.poll(() => core.sessions.status(id, client()).state).toBe('disconnected');
  expect(core.sessions.status(id).state).toBe('connected');
});

test('a parallel driver has one process for the user and the clients', async () => {
  const { core } = await testCore();
  const { id } = await core.connections.create(fixtureDraft);
  // The second table of the fixture driver is named after its process.
  const pidOf = async (at: ReturnType<typeof accessTo>) => (await core.data.tables(at))[1]?.name;
  expect(await pidOf(accessTo(id, client()))).toBe(await pidOf(accessTo(id)));
});

test('after a connection changes from a serial to a parallel driver, clients see the status of the shared process', async () => {
  const serial = writeFixtureDriver(temporaryFolder(), { concurrency: 'serial' });
  const parallel = writeFixtureDriver(temporaryFolder(), { id: 'parallel' });
  const { core } = await testCore({ bundledDrivers: [serial.directory, parallel.directory] });
  const { id } = await core.connections.create(fixtureDraft);
  await core.data.tables(accessTo(id, client()));
  await core.connections.update(id, { ...fixtureDraft, driver: 'parallel' });
  await core.data.tables(accessTo(id, client()));
  expect(core.sessions.status(id, client())).toEqual(core.sessions.status(id));
  expect(core.sessions.status(id).state).toBe('connected');
});
