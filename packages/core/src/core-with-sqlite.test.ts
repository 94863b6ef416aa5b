import { existsSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { rowAt } from '@trestle/driver-kit';
import { expect, test, vi } from 'vitest';
import { newConnectionDraft } from './index.ts';
import {
  accessTo,
  client,
  root,
  saved,
  statusWhere,
  temporaryFolder,
  testCore,
} from './testing/test-core.ts';
import type { ConnectionDraft, Permission } from './types.ts';

const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n';
const all = { filters: [], match: 'all' as const, sort: [] };

/** The bundled SQLite driver on a small file of its own. */
async function openPlanets(changes: Partial<ConnectionDraft> = {}) {
  const { core, events } = await testCore({ bundledDrivers: [join(root, 'dist', 'drivers', 'sqlite')] });
  const file = join(temporaryFolder(), 'planets.db');
  const database = new DatabaseSync(file);
  database.exec(`CREATE TABLE planets (id INTEGER PRIMARY KEY, name TEXT NOT NULL, moons INTEGER);
    INSERT INTO planets (name, moons) VALUES ('Mercury', 0), ('Venus', 0), ('Earth', 1), ('Mars', 2)`);
  database.close();
  const draft = {
    ...newConnectionDraft(core.drivers.get('sqlite')!),
    name: 'Planets',
    fields: { file },
    ...changes,
  };
  const { id } = await core.connections.create(draft);
  return { core, events, id, file, draft };
}

test('the core browses, counts, edits, exports and queries a real file', async () => {
  const { core, id } = await openPlanets();
  const at = accessTo(id);
  expect((await core.data.tables(at)).map(({ name }) => name)).toEqual(['planets']);
  const { columns, key } = await core.data.describe(at, 'planets');
  expect([columns.map(({ name }) => name), key]).toEqual([['id', 'name', 'moons'], ['id']]);
  const request = {
    ...all,
    table: 'planets',
    sort: [{ column: 'name', order: 'asc' as const }],
    limit: 2,
    offset: 1,
  };
  const { rows } = await core.data.browse(at, request);
  expect([rowAt(rows, 0), rowAt(rows, 1)]).toEqual([
    { id: 4, name: 'Mars', moons: 2 },
    { id: 1, name: 'Mercury', moons: 0 },
  ]);
  const outcomes = await saved(core, at, {
    table: 'planets',
    changes: [
      { kind: 'insert', id: 'a', values: { name: 'Jupiter', moons: 95 } },
      { kind: 'update', id: 'b', key: { id: 2 }, values: { name: 'Venera' } },
      { kind: 'delete', id: 'c', key: { id: 1 } },
    ],
  });
  expect(outcomes.map(({ status }) => status)).toEqual(['applied', 'applied', 'applied']);
  const moonless = [{ column: 'moons', operator: 'equals' as const, value: 0 }];
  expect(await core.data.count(at, { table: 'planets', filters: moonless, match: 'all' })).toBe(1);
  const batches = await Array.fromAsync(core.data.exportRows(at, { ...all, table: 'planets' }));
  expect(batches.reduce((sum, batch) => sum + batch.rowCount, 0)).toBe(4);
  const outcome = await core.data.runQuery(at, { text: 'SELECT sum(moons) AS s FROM planets', limit: 10 });
  expect(outcome.results[0]).toMatchObject({ kind: 'rows', rows: { values: [{ cells: [98] }] } });
});

test('runQuery of a client writes only if its token and the connection allow it, and refuses destructive statements', async () => {
  const { core, id, draft } = await openPlanets({ aiPolicy: 'alwaysAllow' });
  const run = (text: string, permission: Permission = 'fullAccess') =>
    core.data.runQuery(accessTo(id, client({ permission })), { text, limit: 10 }).then(
      ({ effect }) => effect,
      (error) => error.code,
    );
  const insert = "INSERT INTO planets (name) VALUES ('Pluto')";
  expect([await run('SELECT 1'), await run(insert)]).toEqual(['read', 'read_only']);
  await core.connections.update(id, { ...draft, externalClients: 'readWrite' });
  expect(await run(insert, 'readOnly')).toBe('forbidden');
  expect([await run(insert), await run('DROP TABLE planets'), await run('DELETE FROM planets')]).toEqual([
    'write',
    'above_ceiling',
    'above_ceiling',
  ]);
  expect(await core.data.count(accessTo(id), { ...all, table: 'planets' })).toBe(5);
});

test('an endless statement ends at its deadline or when it is cancelled, and the next call runs', async () => {
  const { core, id } = await openPlanets();
  const at = accessTo(id);
  await expect(
    core.data.runQuery({ ...at, timeoutMs: 200 }, { text: endless, limit: 1 }),
  ).rejects.toMatchObject({
    code: 'timeout',
  });
  const stop = new AbortController();
  const running = core.data.runQuery(accessTo(id, undefined, stop.signal), { text: endless, limit: 1 });
  const waiting = core.data.count(at, { ...all, table: 'planets' });
  setTimeout(() => stop.abort(), 100);
  await expect(running).rejects.toMatchObject({ code: 'cancelled' });
  expect(await waiting).toBe(4);
  expect(core.sessions.status(id).state).toBe('connected');
});

test('if the driver is killed during a statement, the error says so, and the next call restarts the driver', async () => {
  const { core, id } = await openPlanets();
  const { pid } = await core.sessions.open(accessTo(id));
  const running = core.data.runQuery(accessTo(id), { text: endless, limit: 1 });
  setTimeout(() => process.kill(pid!, 'SIGKILL'), 100);
  await expect(running).rejects.toMatchObject({
    code: 'driver_crashed',
    message: 'The SQLite driver stopped unexpectedly (signal SIGKILL).',
  });
  expect(await core.data.count(accessTo(id), { ...all, table: 'planets' })).toBe(4);
  expect((await statusWhere(core, id, () => true)).pid).not.toBe(pid);
});

test('a connection test reports a missing file, and does not create it', async () => {
  const { core, draft } = await openPlanets();
  const file = join(temporaryFolder(), 'missing.db');
  const result = await core.connections.test(
    { ...draft, fields: { file } },
    { signal: new AbortController().signal },
  );
  expect(result).toMatchObject({ ok: false, error: { code: 'connection_failed' } });
  expect(existsSync(file)).toBe(false);
});

test('the next call notices that the file was replaced or deleted', async () => {
  const { core, id, file } = await openPlanets();
  const count = () => core.data.count(accessTo(id), { ...all, table: 'planets' });
  expect(await count()).toBe(4);
  const other = join(temporaryFolder(), 'other.db');
  const database = new DatabaseSync(other);
  database.exec('CREATE TABLE planets (id INTEGER PRIMARY KEY); INSERT INTO planets VALUES (1)');
  database.close();
  renameSync(other, file);
  expect(await count()).toBe(1);
  rmSync(file);
  await expect(count()).rejects.toMatchObject({ message: `Connection failed: no file at ${file}` });
});

test('a file opens through a symbolic link', async () => {
  const { core, draft, file } = await openPlanets();
  const link = join(temporaryFolder(), 'link.db');
  symlinkSync(file, link);
  const { id } = await core.connections.create({ ...draft, name: 'Link', fields: { file: link } });
  expect(await core.data.count(accessTo(id), { ...all, table: 'planets' })).toBe(4);
});

test('a copy keeps the storage class of each value, and compares it', async () => {
  const { core, id, file } = await openPlanets();
  const database = new DatabaseSync(file);
  const [columns, values] = [
    'k PRIMARY KEY NOT NULL, v, b BLOB',
    "5, 5.0, '5', x'35', -0.0, 9e999, 1e20, 9223372036854775807",
  ];
  database.exec(
    `CREATE TABLE kept (${columns}); CREATE TABLE strictly (${columns.replace('k ', 'k ANY ').replace(', v', ', v ANY')}) STRICT;`,
  );
  values.split(', ').forEach((value, index) => {
    database.exec(`INSERT INTO kept VALUES (${index}.5, ${value}, ${value})`);
    database.exec(`INSERT INTO strictly VALUES (${index}.5, ${value}, x'00')`);
  });
  for (const table of ['kept', 'strictly']) {
    const to = { connectionId: id, table: `${table}2` };
    const copy = await core
      .administer({ door: 'window', isPerson: true })
      .beginCopy({ from: { connectionId: id, table }, to, goOn: false });
    await vi.waitFor(() => expect(core.jobs.get(copy.id).outcome?.how).toBe('complete'), 20_000);
    expect(core.jobs.get(copy.id).detail).toMatchObject({ report: { copied: 8, different: [] } });
    const typed = (name: string) =>
      database
        .prepare(`SELECT quote(k), typeof(v), quote(v), typeof(b), quote(b) FROM ${name} ORDER BY k`)
        .all();
    expect(typed(to.table)).toEqual(typed(table));
  }
  database.close();
});
