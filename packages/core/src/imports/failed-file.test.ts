import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createFailedFile } from './failed-file.ts';
import { surveyFile } from './survey-file.ts';

const names = { line: 'trestle_line', error: 'trestle_error', id: 'trestle_id' };

async function pets() {
  const folder = mkdtempSync(join(tmpdir(), 'trestle-failed-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const source = join(folder, 'pets.csv');
  writeFileSync(source, 'name\nLaika\n');
  const file = await surveyFile(source, { signal: AbortSignal.timeout(60_000) });
  return { source, file, path: join(folder, 'failed.csv') };
}

test('without a failed row there is no file', async () => {
  const { file, path } = await pets();
  const failed = createFailedFile(path, file);
  await failed.close();
  expect([failed.rows, failed.path, existsSync(path)]).toEqual([0, null, false]);
});

test('the path is null until the file is closed', async () => {
  const { file, path } = await pets();
  const failed = createFailedFile(path, file);
  await failed.write(file.sample[0]!, { problem: 'no' }, names);
  expect(failed.path).toBe(null);
  await failed.close();
  expect([failed.rows, failed.path]).toEqual([1, path]);
});

test('the path stays null if a row could not be written because the disk was full', async () => {
  const { source, file, path } = await pets();
  const failed = createFailedFile(path, file);
  await failed.write(file.sample[0]!, { problem: 'no' }, names);
  const handle = await open(source);
  onTestFinished(() => handle.close());
  const full = vi
    .spyOn(Object.getPrototypeOf(handle), 'appendFile')
    .mockRejectedValueOnce(new Error('ENOSPC: no space left on device'));
  onTestFinished(() => full.mockRestore());
  await expect(failed.write(file.sample[0]!, { problem: 'no' }, names)).rejects.toThrow('ENOSPC');
  await failed.close();
  expect([failed.rows, failed.path]).toEqual([2, null]);
});
