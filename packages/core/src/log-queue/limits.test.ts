import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openStorage } from '../storage/storage.ts';
import { accessTo, client, fixtureDraft, temporaryFolder, testCore } from '../testing/test-core.ts';
import type { Core } from '../types.ts';

const megabyte = 1024 ** 2;

function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

test('the history keeps the start and the length of a long statement', async () => {
  const { core, home } = await testCore();
  const { id } = await core.connections.create(fixtureDraft);
  const before = sizeOf(home);
  const text = `SELECT ${'x'.repeat(9.5 * megabyte)}`;
  for (let n = 0; n < 8; n++) {
    await core.data.runQuery(accessTo(id, n % 2 === 0 ? undefined : client()), { text, limit: 1 });
  }
  // The error of a failed statement quotes the statement.
  await core.data.runQuery(accessTo(id, client()), { text: text.slice(1), limit: 1 }).catch(() => {});
  const [failed, ...entries] = core.history.search({ limit: 100 });
  expect(entries).toHaveLength(8);
  for (const entry of entries)
    expect(entry).toMatchObject({ text: text.slice(0, 65_536), cutFrom: text.length });
  expect(failed!.error!.length).toBeLessThan(5_000);
  expect(core.activity.list({ limit: 1 })[0]!.detail!.length).toBeLessThan(5_000);
  // Less than the size of one statement.
  expect(sizeOf(home) - before).toBeLessThan(9 * megabyte);
});

test('history over its limit loses its oldest entries, and the file shrinks', async () => {
  const { core, home } = await testCore();
  const { id } = await core.connections.create(fixtureDraft);
  const run = (n: number) =>
    core.data.runQuery(accessTo(id), { text: `SELECT ${n} ${'x'.repeat(60_000)}`, limit: 1 });
  for (let n = 0; n < 100; n++) await run(n);
  expect(core.logUse().history.entries).toBe(100);
  const database = join(home, 'trestle.db');
  core.settings.update({ historyMegabytes: 1 });
  const kept = await historyOf(core, 15);
  expect(kept.at(0)).toBe('99');
  expect(kept).toEqual(Array.from({ length: kept.length }, (_, n) => String(99 - n)));
  expect(core.removals.of('history', id)).toEqual({ entries: 100 - kept.length, at: expect.any(String) });
  await expect.poll(() => statSync(database).size).toBeLessThan(2 * megabyte);
  for (let n = 100; n < 200; n++) await run(n);
  expect(core.logUse().history.bytes).toBeLessThan(2 * megabyte);
  core.settings.update({ historyEntries: 10 });
  expect(await historyOf(core, 10)).toEqual(Array.from({ length: 10 }, (_, n) => String(199 - n)));
  expect(core.removals.of('history', id)?.entries).toBe(190);
  core.history.clear(id);
  expect(core.removals.of('history', id)).toBeNull();
});

test('a history search finds a long text and takes % and _ literally; clearing all history resets the count of removed entries', async () => {
  const { core } = await testCore();
  const [old, busy] = [
    await core.connections.create(fixtureDraft),
    await core.connections.create({ ...fixtureDraft, name: 'busy' }),
  ];
  const text = `SELECT 50% ${'x'.repeat(60_000)}`;
  await core.data.runQuery(accessTo(old.id), { text, limit: 1 });
  expect(core.history.search({ text: text.toLowerCase(), limit: 9 })).toHaveLength(1);
  expect(core.history.search({ text: 'select 5_%', limit: 9 })).toEqual([]);
  for (let n = 0; n < 20; n++) await core.data.runQuery(accessTo(busy.id), { text, limit: 1 });
  core.settings.update({ historyMegabytes: 1 });
  await expect.poll(() => core.removals.of('history', old.id)?.entries).toBe(1);
  core.history.clear();
  expect(core.removals.of('history', old.id)).toBeNull();
});

/** Waits until at most this many statements are left. Returns their numbers, newest first. */
async function historyOf(core: Core, most: number): Promise<string[]> {
  const numbers = () => core.history.search({ limit: 1000 }).map(({ text }) => text.split(' ')[1]!);
  await expect.poll(() => numbers().length).toBeLessThanOrEqual(most);
  return numbers();
}

test('an activity log over its limit loses its oldest rows, and can still be verified', async () => {
  const { core } = await testCore();
  const detail = 'x'.repeat(2_000);
  for (let n = 0; n < 1_500; n++) {
    core.activity.record({
      action: 'query',
      tokenName: 'Token',
      clientName: 'Client',
      connectionId: null,
      outcome: 'ok',
      detail,
      durationMs: 1,
      rows: n,
      digest: null,
    });
  }
  core.settings.update({ activityMegabytes: 1 });
  await expect.poll(() => core.logUse().activity.bytes).toBeLessThan(megabyte);
  const rows = core.activity.list({ limit: 2_000 }).map((entry) => entry.rows);
  expect(rows.at(0)).toBe(1_499);
  expect(rows.length).toBeGreaterThan(100);
  expect(await core.activity.verify()).toEqual({ ok: true, checked: rows.length });
});

test('a trestle.db without auto_vacuum gets it at the next start, so that the file can shrink', () => {
  const home = temporaryFolder();
  const storage = openStorage(home);
  storage.run('PRAGMA auto_vacuum = NONE');
  storage.run('VACUUM');
  storage.close();
  const again = openStorage(home);
  expect(again.get('PRAGMA auto_vacuum')).toEqual({ auto_vacuum: 2 });
  again.close();
});
