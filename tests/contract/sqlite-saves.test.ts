import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openDriverLink } from '@trestle/driver-host';
import type { Change, Manifest } from '@trestle/driver-kit';
import { follow } from '@trestle/driver-kit/testing';
import { expect, onTestFinished, test } from 'vitest';
import manifest from '../../drivers/sqlite/manifest.json' with { type: 'json' };

const dist = join(import.meta.dirname, '../../dist');

/**
 * A save is one transaction in the driver's process. If the save ends early, the file contains none of its rows.
 */
async function open() {
  const folder = mkdtempSync(join(tmpdir(), 'trestle-saves-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'rows.db');
  // A killed process holds its lock for a moment longer.
  const database = new DatabaseSync(file, { timeout: 30_000 });
  onTestFinished(() => database.close());
  database.exec(`
    CREATE TABLE rows (n INTEGER PRIMARY KEY);
    CREATE TABLE slow (n INTEGER PRIMARY KEY);
    CREATE TRIGGER endless AFTER INSERT ON slow WHEN new.n = 3 BEGIN
      INSERT INTO rows WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r)
        SELECT max(i) FROM r;
    END;
  `);
  const link = await openDriverLink(
    {
      hostEntry: join(dist, 'driver-host.js'),
      driverDirectory: join(dist, 'drivers/sqlite'),
      manifest: manifest as Manifest,
      bundled: true,
      fields: { file },
      log: () => {},
      timing: { graceMs: 300 },
    },
    { signal: new AbortController().signal, timeoutMs: 20_000 },
  );
  onTestFinished(() => link.close());
  const count = (table: string) => Number(database.prepare(`SELECT count(*) AS n FROM ${table}`).get()!.n);
  return { link, count };
}

const changes = (count: number) =>
  Array.from({ length: count }, (_, n): Change => ({ kind: 'insert', id: `${n}`, values: { n } }));
const ended = { sent: new Set(), outcomes: new Map() };

test('a cancel during a save rolls the whole save back', async () => {
  const { link, count } = await open();
  const controller = new AbortController();
  const request = { table: 'rows', changes: changes(50_000), rowTimeoutMs: 30_000 };
  const reports = link.session.applyChanges!(request, { signal: controller.signal });
  const { pid } = link;
  const end = await follow(reports, () => controller.abort());
  expect(end).toMatchObject({ ...ended, details: { code: 'cancelled' } });
  expect(count('rows')).toBe(0);
  // The driver received the cancellation between two rows, and keeps running.
  expect(link.pid).toBe(pid);
});

test('if the driver is killed during a save, no row is stored and no row is reported as sent', async () => {
  const { link, count } = await open();
  const request = { table: 'rows', changes: changes(50_000), rowTimeoutMs: 30_000 };
  const reports = link.session.applyChanges!(request, { signal: new AbortController().signal });
  const end = await follow(reports, () => process.kill(link.pid!, 'SIGKILL'));
  expect(end).toMatchObject({ ...ended, details: { code: 'driver_crashed' } });
  expect(count('rows')).toBe(0);
});

test.each([
  ['a row past its deadline ends the save', 500, undefined, 'timeout'],
  ['a cancel during an endless row ends the save', 60_000, 500, 'cancelled'],
] as const)(
  '%s and the process of the driver, and no row of the save is stored',
  async (_what, rowTimeoutMs, cancelMs, code) => {
    const { link, count } = await open();
    const { pid } = link;
    const request = { table: 'slow', changes: changes(10), rowTimeoutMs };
    const signal = cancelMs === undefined ? new AbortController().signal : AbortSignal.timeout(cancelMs);
    const end = await follow(link.session.applyChanges!(request, { signal }));
    expect(end).toMatchObject({ ...ended, details: { code } });
    expect([count('slow'), count('rows')]).toEqual([0, 0]);
    // The next call starts a new process.
    const { signal: other } = new AbortController();
    expect(await link.session.count({ table: 'slow', filters: [], match: 'all' }, { signal: other })).toBe(0);
    expect(link.pid).not.toBe(pid);
    expect(() => process.kill(pid!, 0)).toThrow('ESRCH');
  },
);
