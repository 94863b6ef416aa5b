import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { fingerprintOf } from './keys.ts';

/** For each folder in turn, waits until all workers have reached this folder, then asks for its key. */
const builder = `
  const { parentPort, workerData: { module, folders, workers, arrived } } = require('node:worker_threads');
  import(module).then(({ developmentKey, publicKeyOf }) => {
    const keys = folders.map((folder, index) => {
      Atomics.add(arrived, index, 1);
      while (Atomics.load(arrived, index) < workers);
      return publicKeyOf(developmentKey(folder + '/made/key.pem'));
    });
    parentPort.postMessage(keys);
  });
`;

test('builds that run at the same time use one key', async () => {
  const root = mkdtempSync(join(tmpdir(), 'trestle-keys-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const folders = Array.from({ length: 50 }, (_, index) => join(root, String(index)));
  const workers = 2;
  const arrived = new Int32Array(new SharedArrayBuffer(4 * folders.length));
  const workerData = { module: import.meta.resolve('./keys.ts'), folders, workers, arrived };
  const build = async () => {
    const { promise, resolve, reject } = Promise.withResolvers<string[]>();
    new Worker(builder, { eval: true, execArgv: [], workerData })
      .once('message', resolve)
      .once('error', reject);
    return promise;
  };
  const [one, other] = await Promise.all([build(), build()]);
  expect(one).toEqual(other);
  expect(new Set(one).size).toBe(folders.length);
  for (const folder of folders) expect(readdirSync(join(folder, 'made'))).toEqual(['key.pem']);
});

test('the fingerprint of a key is the one that the app shows', () => {
  // packages/core/src/registry/registry.test.ts has the same key and fingerprint.
  expect(fingerprintOf('Fhah7V629AtjNaY0/sHLVAIHPwhUW1amiIsp8ol43MA=')).toBe(
    '4597 71c2 273e ee8c 00a0 29f7 a01b ae97',
  );
});
