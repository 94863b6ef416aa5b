import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/test-core.ts';
import { openRegistryFile } from './registry-source.ts';

test('a local download that is cancelled before its first byte ends as cancelled, without an unhandled error', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'driver.tgz'), 'some bytes');
  const base = pathToFileURL(`${folder}/`);
  for (const early of [true, false]) {
    const controller = new AbortController();
    if (early) controller.abort();
    const options = { signal: controller.signal, maxBytes: 100 };
    const { chunks } = await openRegistryFile(base, 'driver.tgz', options);
    controller.abort();
    // An unhandled error would end the app here.
    await new Promise(setImmediate);
    await expect(Array.fromAsync(chunks)).rejects.toMatchObject({ code: 'cancelled' });
  }
});
