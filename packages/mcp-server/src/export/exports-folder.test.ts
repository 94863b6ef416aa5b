import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { rowSetFromCells } from '@trestle/driver-kit';
import { expect, onTestFinished, test, vi } from 'vitest';
import { useTestServer } from '../testing/test-server.ts';
import { exportsUse, pruneExports } from './exports-folder.ts';
import { writeExport } from './write-export.ts';

const day = 24 * 60 * 60_000;

function aged(file: string, days: number): string {
  const at = new Date(Date.now() - days * day);
  utimesSync(file, at, at);
  return basename(file);
}

async function exported(folder: string, days: number): Promise<string> {
  const { file } = await writeExport({
    folder,
    name: 't',
    format: 'csv',
    batches: (async function* () {})(),
    limitMegabytes: 1,
  });
  return aged(file, days);
}

test('pruneExports removes exports older than a week, and no other file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'exports-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  await exported(folder, 8);
  const recent = await exported(folder, 6);
  writeFileSync(join(folder, 'mine.csv'), '');
  aged(join(folder, 'mine.csv'), 100);
  mkdirSync(join(folder, 'folder-2026-01-01T00-00-00-00000000.csv'));
  await pruneExports(folder, Date.now() + 60_000);
  expect(readdirSync(folder).sort()).toEqual(
    ['folder-2026-01-01T00-00-00-00000000.csv', 'mine.csv', recent].sort(),
  );
  await pruneExports(join(folder, 'absent'));
});

test('if one old export cannot be removed, pruneExports removes the others and throws', async () => {
  const folder = temporaryExports();
  const names = [await exported(folder, 8), await exported(folder, 9), await exported(folder, 10)];
  const [busy] = readdirSync(folder);
  const remove = async (file: string) => {
    if (basename(file) === busy) throw new Error('It is open in another program');
    rmSync(file);
  };
  await expect(pruneExports(folder, Date.now(), remove)).rejects.toThrow('another program');
  expect(names).toContain(busy);
  expect(readdirSync(folder)).toEqual([busy]);
});

const t = useTestServer();

test('a starting server removes old exports', async () => {
  const folder = join(t.home, 'exports');
  await exported(folder, 8);
  await t.server.close();
  t.server = await t.start();
  expect(readdirSync(folder)).toEqual([]);
});

test('a running server removes old exports too', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  await t.server.close();
  t.server = await t.start();
  const folder = join(t.home, 'exports');
  await exported(folder, 8);
  vi.advanceTimersByTime(60 * 60_000);
  await expect.poll(() => readdirSync(folder)).toEqual([]);
});

test('an export whose file cannot be created leaves a row in the activity log', async () => {
  writeFileSync(join(t.home, 'exports'), '');
  await t.call('export_data', { connection_id: 'c-open', query: 'x' });
  expect(t.fake.activity).toContainEqual(
    expect.objectContaining({ action: 'export_data', outcome: 'error', tokenName: 'token-1' }),
  );
});

const columns = [{ name: 'a', type: 'text' as const, nativeType: '' }];

/** Batches of about a megabyte each. */
async function* megabytes(count: number) {
  for (let n = 0; n < count; n++) yield rowSetFromCells(columns, [['x'.repeat(1024 ** 2)]]);
}

function temporaryExports(): string {
  const folder = mkdtempSync(join(tmpdir(), 'exports-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const options = { name: 't', format: 'csv' as const, limitMegabytes: 10 };

test('an export that is larger than the folder’s limit is stopped with a message and removed', async () => {
  const folder = temporaryExports();
  let read = 0;
  async function* endless() {
    for await (const batch of megabytes(1_000)) {
      read++;
      yield batch;
    }
  }
  await expect(writeExport({ ...options, folder, batches: endless() })).rejects.toMatchObject({
    code: 'invalid_argument',
    message:
      'The export was stopped: it would make the exports folder larger than the 10 MB that Settings allow. Nothing was saved',
    hint: expect.stringContaining('Settings → Storage'),
  });
  expect(read).toBeLessThan(12);
  expect(readdirSync(folder)).toEqual([]);
});

test('a new export removes older exports, oldest first, but not an export that is being written', async () => {
  const folder = temporaryExports();
  const first = await writeExport({ ...options, folder, batches: megabytes(4) });
  aged(first.file, 2);
  const second = await writeExport({ ...options, folder, batches: megabytes(4) });
  aged(second.file, 1);
  const third = await writeExport({ ...options, folder, batches: megabytes(4) });
  expect([first.removed, second.removed, third.removed]).toEqual([0, 0, 1]);
  expect(readdirSync(folder).sort()).toEqual([second.file, third.file].map((file) => basename(file)).sort());

  const held = Promise.withResolvers<void>();
  async function* slow() {
    yield* megabytes(2);
    await held.promise;
  }
  const writing = writeExport({ ...options, folder, batches: slow() });
  const isWritten = (name: string) => statSync(join(folder, name)).size > 2 * 1024 ** 2;
  const others = [second.file, third.file].map((file) => basename(file));
  await expect
    .poll(() => readdirSync(folder).filter((name) => !others.includes(name) && isWritten(name)))
    .toHaveLength(1);
  const large = await writeExport({ ...options, folder, batches: megabytes(7) });
  expect(large.removed).toBe(2);
  held.resolve();
  const { file, removed } = await writing;
  expect(removed).toBe(0);
  expect(readdirSync(folder).sort()).toEqual([file, large.file].map((one) => basename(one)).sort());
  const bytes = statSync(file).size + statSync(large.file).size;
  expect(await exportsUse(folder)).toEqual({ files: 2, bytes });
});

test('an older export that cannot be removed stays, and the next oldest is removed', async () => {
  const folder = temporaryExports();
  const first = await writeExport({ ...options, folder, batches: megabytes(4) });
  aged(first.file, 2);
  const second = await writeExport({ ...options, folder, batches: megabytes(4) });
  aged(second.file, 1);
  const remove = async (file: string) => {
    if (file === first.file) throw Object.assign(new Error('EBUSY: resource busy'), { code: 'EBUSY' });
    rmSync(file);
  };
  const third = await writeExport({ ...options, folder, batches: megabytes(4), remove });
  expect(third.removed).toBe(1);
  expect(readdirSync(folder).sort()).toEqual([first.file, third.file].map((file) => basename(file)).sort());
});

test('an export that fails removes no older export', async () => {
  const folder = temporaryExports();
  const { file } = await writeExport({ ...options, folder, batches: megabytes(4) });
  await expect(writeExport({ ...options, folder, batches: megabytes(11) })).rejects.toMatchObject({
    code: 'invalid_argument',
  });
  async function* interrupted() {
    yield* megabytes(8);
    throw new Error('The connection is gone');
  }
  await expect(writeExport({ ...options, folder, batches: interrupted() })).rejects.toThrow('is gone');
  expect(readdirSync(folder)).toEqual([basename(file)]);
});

test('two exports that are written at the same time do not exceed the limit together', async () => {
  const folder = temporaryExports();
  const held = Promise.withResolvers<void>();
  async function* slow() {
    yield* megabytes(2);
    await held.promise;
  }
  const writing = writeExport({ ...options, folder, batches: slow() });
  const written = () => exportsUse(folder).then(({ bytes }) => bytes);
  await expect.poll(written).toBeGreaterThan(2 * 1024 ** 2);
  await expect(writeExport({ ...options, folder, batches: megabytes(9) })).rejects.toMatchObject({
    code: 'invalid_argument',
  });
  held.resolve();
  const { file } = await writing;
  expect(readdirSync(folder)).toEqual([basename(file)]);
});

test('of two parallel exports that are too large together, one is stopped and the other stays', async () => {
  const folder = temporaryExports();
  const both = await Promise.allSettled(
    [8, 8].map((n) => writeExport({ ...options, folder, batches: megabytes(n) })),
  );
  const saved = both.flatMap((one) => (one.status === 'fulfilled' ? [basename(one.value.file)] : []));
  expect(saved).toHaveLength(1);
  expect(readdirSync(folder)).toEqual(saved);
  expect(both.find((one) => one.status === 'rejected')?.reason).toMatchObject({ code: 'invalid_argument' });
});

/** Yields one megabyte, then as many megabytes as `others` resolves to. */
async function* slowly(others: Promise<number>) {
  yield* megabytes(1);
  yield* megabytes(await others);
}

test('an export does not remove another export that was completed meanwhile', async () => {
  const folder = temporaryExports();
  const others = Promise.withResolvers<number>();
  const slow = writeExport({ ...options, folder, batches: slowly(others.promise) });
  const { file } = await writeExport({ ...options, folder, batches: megabytes(4) });
  others.resolve(6);
  await expect(slow).rejects.toMatchObject({ code: 'invalid_argument' });
  expect(readdirSync(folder)).toEqual([basename(file)]);
});

test('an export can use the space of parallel exports that failed or were removed', async () => {
  const folder = temporaryExports();
  const others = Promise.withResolvers<number>();
  const slow = writeExport({ ...options, folder, batches: slowly(others.promise) });
  async function* interrupted() {
    yield* megabytes(3);
    throw new Error('The connection is gone');
  }
  await expect(writeExport({ ...options, folder, batches: interrupted() })).rejects.toThrow('is gone');
  const small = await writeExport({ ...options, folder, batches: megabytes(3) });
  aged(small.file, 1);
  const large = await writeExport({ ...options, folder, batches: megabytes(7) });
  expect(large.removed).toBe(1);
  others.resolve(1);
  const { file } = await slow;
  expect(readdirSync(folder).sort()).toEqual([file, large.file].map((one) => basename(one)).sort());
});

test('an export that would leave too little free space on the disk is stopped', async () => {
  const folder = temporaryExports();
  const freeBytes = async () => 150 * 1024 ** 2;
  await expect(writeExport({ ...options, folder, batches: megabytes(1), freeBytes })).rejects.toMatchObject({
    code: 'storage_failed',
    message: expect.stringMatching(/has only 150 MB left/),
  });
  expect(readdirSync(folder)).toEqual([]);
});
