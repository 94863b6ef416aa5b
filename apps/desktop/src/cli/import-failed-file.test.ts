import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { surveyFile } from '@trestle/core';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openFailedFile } from './import-failed-file.ts';

test('on a full disk, writing a failed row does not throw, and `problem` contains the error', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trestle-failed-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const source = join(folder, 'pets.csv');
  writeFileSync(source, 'name\nLaika\n');
  const file = await surveyFile(source, { signal: AbortSignal.timeout(60_000) });
  const path = join(folder, 'failed.csv');
  const failed = await openFailedFile(path, file);
  await failed.write(file.sample[0]!, { problem: 'no' });
  expect(failed.problem).toBe(null);

  const handle = await open(source);
  onTestFinished(() => handle.close());
  const full = vi
    .spyOn(Object.getPrototypeOf(handle), 'appendFile')
    .mockRejectedValue(new Error('ENOSPC: no space left on device'));
  onTestFinished(() => full.mockRestore());
  await failed.write(file.sample[0]!, { problem: 'no' });
  await failed.write(file.sample[0]!, { problem: 'no' });
  await failed.close();
  expect(failed.problem).toMatchObject({
    code: 'storage_failed',
    message: `${path} could not be written: ENOSPC: no space left on device`,
  });
  expect(full).toHaveBeenCalledTimes(1);
});
