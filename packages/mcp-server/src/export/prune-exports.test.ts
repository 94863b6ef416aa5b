import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { useTestServer } from '../testing/test-server.ts';
import { pruneExports } from './prune-exports.ts';
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
  });
  return aged(file, days);
}

test('removes exports older than a week, and nothing that is not one', async () => {
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

const t = useTestServer();

test('a server that starts has done so', async () => {
  const folder = join(t.home, 'exports');
  await exported(folder, 8);
  await t.server.close();
  t.server = await t.start();
  expect(readdirSync(folder)).toEqual([]);
});
