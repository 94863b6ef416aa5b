import { execFileSync, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { stagedRows } from '@trestle/core/staged-edits';
import type { Change, ChangeOutcome } from '@trestle/driver-kit';
import { expect, onTestFinished, test, vi } from 'vitest';
import { stepsFor } from '../../packages/core/src/staged-edits/testing/steps-for.ts';
import { importConnections, startApp } from '../e2e/app.ts';
import { openWindow } from '../faults/window-client.ts';

const canMount = process.platform === 'linux' && tryMount();
const needsMount = canMount ? '' : ' (needs the right to mount a small disk)';
const rowCount = 20_000;

/** A disk of 4 MB, which can be made larger. */
function smallDisk() {
  const folder = mkdtempSync(join(tmpdir(), 'trestle-small-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'none', folder]);
  onTestFinished(() => {
    execFileSync('umount', ['--lazy', folder]);
    rmSync(folder, { recursive: true, force: true });
  });
  return { folder, grow: () => execFileSync('mount', ['-o', 'remount,size=256m', folder]) };
}

function tryMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'trestle-mount-'));
  const { status } = spawnSync('mount', ['-t', 'tmpfs', 'none', folder]);
  if (status === 0) execFileSync('umount', [folder]);
  rmSync(folder, { recursive: true });
  return status === 0;
}

async function begin() {
  const disk = smallDisk();
  const app = await startApp();
  onTestFinished(() => app.close());
  const [target, source] = [join(disk.folder, 'target.db'), join(app.folder, 'source.db')];
  const large = new DatabaseSync(source);
  large.exec(`CREATE TABLE source (id INTEGER PRIMARY KEY, text TEXT);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rowCount})
      INSERT INTO source SELECT i, printf('%d ', i) || hex(zeroblob(500)) FROM n;`);
  large.close();
  const small = new DatabaseSync(target, { timeout: 10_000 });
  small.exec('CREATE TABLE target (id INTEGER PRIMARY KEY, text TEXT)');
  onTestFinished(() => small.close());
  const rights = { externalClients: 'readWrite', aiPolicy: 'alwaysAllow' };
  const connect = (name: string, file: string) => ({ name, driver: 'sqlite', fields: { file }, ...rights });
  await importConnections(app, [connect('Large', source), connect('Small', target)]);
  /** Each row is whole, and none is there twice. */
  const stored = (table = 'target') => {
    expect(small.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
    const wrong = `text <> printf('%d ', id) || hex(zeroblob(500))`;
    const { all, bad } = small
      .prepare(`SELECT count(*) AS "all", count(*) FILTER (WHERE ${wrong}) AS bad FROM "${table}"`)
      .get() as { all: number; bad: number };
    expect(bad).toBe(0);
    return all;
  };
  return { app, disk, stored, small };
}

test.skipIf(!canMount)(
  `an import onto a full disk ends at once with the one cause, and goes on when there is room${needsMount}`,
  { timeout: 120_000 },
  async () => {
    const { app, disk, stored } = await begin();
    const file = join(app.folder, 'rows.csv');
    await app.json('export', 'Large', 'source', '--out', file);
    const before = appFiles(app.folder);
    const run = async () => {
      const { code, stdout } = await app.run('import', 'Small', 'target', file, '--json');
      return { code, ...JSON.parse(stdout) };
    };
    const first = await run();
    expect(first).toMatchObject({ code: 1, ended: 'stopped', error: full, problems: [], unknown: 0 });
    // The batches that were under way when the first one failed, and no more.
    expect(first.stored + first.failed).toBeLessThan(rowCount);
    expect(stored()).toBe(first.stored);
    expect(appFiles(app.folder)).toEqual(before);
    disk.grow();
    expect(await run()).toMatchObject({
      ...{ code: 0, ended: 'complete', failed: 0, unknown: 0 },
      ...{ existing: first.stored, stored: rowCount - first.stored },
    });
    expect(stored()).toBe(rowCount);
  },
);

test.skipIf(!canMount)(
  `a copy onto a full disk ends at once with the one cause, and goes on when there is room${needsMount}`,
  { timeout: 120_000 },
  async () => {
    const { app, disk, stored } = await begin();
    const run = async (...more: string[]) => {
      const args = ['copy', 'Large', 'source', 'copied', '--to', 'Small', ...more, '--json'];
      const { code, stdout } = await app.run(...args);
      return { code, ...JSON.parse(stdout) };
    };
    const first = await run();
    expect(first).toMatchObject({ code: 1, ended: 'stopped', error: full, problems: [], unknown: 0 });
    expect(first.copied + first.failed).toBeLessThan(rowCount);
    expect(stored('copied')).toBe(first.copied);
    disk.grow();
    expect(await run('--continue')).toMatchObject({
      ...{ code: 0, ended: 'complete', failed: 0, existing: 0, copied: rowCount },
      ...{ inTarget: rowCount, different: [] },
    });
    expect(stored('copied')).toBe(rowCount);
  },
);

test.skipIf(!canMount)(
  `an export to a full disk fails with the cause and leaves no file${needsMount}`,
  { timeout: 120_000 },
  async () => {
    const { app, disk } = await begin();
    writeFileSync(join(disk.folder, 'filler'), Buffer.alloc(3_600_000));
    for (const format of ['csv', 'json', 'jsonl', 'parquet']) {
      const file = join(disk.folder, `rows.${format}`);
      const { code, stderr } = await app.run('export', 'Large', 'source', '--out', file);
      expect([code, stderr]).toEqual([1, expect.stringContaining('cannot be written: ENOSPC')]);
      expect(readdirSync(disk.folder).sort()).toEqual(['filler', 'target.db']);
    }
  },
);

test.skipIf(!canMount)(
  `a save onto a full disk stores nothing and says why, and stores all when there is room${needsMount}`,
  { timeout: 120_000 },
  async () => {
    const { app, disk, stored } = await begin();
    const { id: connection } = ((await app.ask('connections.list')) as { id: string; name: string }[]).find(
      ({ name }) => name === 'Small',
    )!;
    const window = await openWindow(app);
    const changes = Array.from({ length: 1_000 }, (_, at): Change => {
      const text = `${at + 1} ${'00'.repeat(500)}`;
      return { kind: 'insert', id: String(at), values: { id: at + 1, text } };
    });
    writeFileSync(join(disk.folder, 'filler'), Buffer.alloc(3_600_000));
    const save = async () => {
      const outcomes: ChangeOutcome[] = [];
      const frames = window.save(randomUUID(), connection, { table: 'target', changes });
      for await (const frame of frames) if ('outcomes' in frame) outcomes.push(...frame.outcomes);
      return outcomes;
    };
    const refused = changes.map(({ id }) => ({ id, status: 'failed', error: full }));
    expect(await save()).toEqual(refused);
    expect(stored()).toBe(0);
    disk.grow();
    expect((await save()).map(({ status }) => status)).toEqual(changes.map(() => 'applied'));
    expect(stored()).toBe(changes.length);
  },
);

test.skipIf(!canMount)(
  `with its own disk full, Trestle refuses to keep an edit or to begin a save, says why, and sends nothing${needsMount}`,
  { timeout: 120_000 },
  async () => {
    const disk = smallDisk();
    disk.grow();
    vi.stubEnv('TMPDIR', disk.folder);
    const app = await startApp();
    vi.unstubAllEnvs();
    onTestFinished(() => app.close());
    const folder = mkdtempSync(join(tmpdir(), 'trestle-elsewhere-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, 'people.db');
    const people = new DatabaseSync(file, { timeout: 10_000 });
    onTestFinished(() => people.close());
    people.exec(
      `CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO people VALUES (1, 'Ada')`,
    );
    await importConnections(app, [{ name: 'People', driver: 'sqlite', fields: { file } }]);
    const all = (await app.ask('connections.list')) as { id: string; name: string }[];
    const connection = all.find(({ name }) => name === 'People')!.id;
    const window = await openWindow(app);
    const key = 'edits of people';
    const edit = { key, version: 0, value: { name: 'x'.repeat(1_000_000) } };
    const change: Change = {
      kind: 'update',
      id: '1',
      key: { id: 1 },
      values: { name: 'mine' },
      expected: { name: 'Ada' },
    };
    const staged = await window.staged(connection, { table: 'people' });
    await staged.send({ kind: 'stage', steps: stepsFor([change]) });
    const save = () => Array.fromAsync(staged.save(randomUUID(), [change.id]));
    const note: Change = { kind: 'insert', id: 'note', values: { name: 'x'.repeat(1_000_000) } };
    const noted = () => staged.send({ kind: 'stage', steps: stepsFor([note]) });
    const names = () =>
      people
        .prepare('SELECT name FROM people')
        .all()
        .map(({ name }) => name);
    fillDisk(disk.folder);
    const reason = {
      code: 'storage_failed',
      message: expect.stringMatching(/trestle\.db cannot be written: the disk is full\.$/),
    };
    await expect(window.call('records.write', edit)).rejects.toMatchObject(reason);
    await expect(noted()).rejects.toMatchObject(reason);
    await expect(save()).rejects.toMatchObject(reason);
    expect(names()).toEqual(['Ada']);
    rmSync(join(disk.folder, 'filler'));
    expect(await window.call('records.write', edit)).toMatchObject({ written: true });
    await noted();
    expect(stagedRows(staged.edits).inserted.size).toBe(1);
    expect((await save()).at(-1)).toEqual({ done: true });
    expect(names()).toEqual(['mine']);
  },
);

/** Leaves no byte free. */
function fillDisk(folder: string): void {
  for (let size = 1_048_576; size > 0; size = Math.floor(size / 2)) {
    try {
      for (;;) writeFileSync(join(folder, 'filler'), Buffer.alloc(size), { flag: 'a' });
    } catch {
      // Smaller pieces may still fit.
    }
  }
}

const full = {
  code: 'disk_full',
  message: 'database or disk is full',
  hint: 'Make room on the disk, or raise PRAGMA max_page_count.',
};

/** The app's files, without those that change with each call. */
function appFiles(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => !/^trestle\.db-|\.log$/.test(name))
    .sort();
}
