import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { create, extract } from 'tar';
import { onTestFinished } from 'vitest';
import { buildRegistry } from '../../registry/src/build-registry.ts';
import { newKey, privateKey } from '../../registry/src/keys.ts';
import type { createHome } from '../app/trestle.ts';

const shipped = join(import.meta.dirname, '..', '..', 'dist', 'registry', 'weaviate-0.1.0.tgz');

/**
 * A registry in a temporary folder. `publish` adds a copy of the Weaviate driver that differs only in the version and a
 * comment.
 */
export async function ownRegistry() {
  const folder = mkdtempSync(join(tmpdir(), 'trestle-own-registry-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const served = join(folder, 'served');
  const key = privateKey(newKey());
  let sequence = 0;
  const address = pathToFileURL(`${served}/`).href;
  return {
    address,
    env: { TRESTLE_REGISTRY: address },
    async publish(version: string): Promise<void> {
      const file = await repacked(join(folder, version), version);
      await buildRegistry({
        folder: served,
        name: 'Own',
        packages: [{ file, changes: `Version ${version}.` }],
        publisher: { name: 'Own', key },
        signers: [key],
        sequence: ++sequence,
      });
    },
  };
}

/** Confirms the key of the registry that `env` names, like a user who has compared the fingerprint. */
export async function trust(home: ReturnType<typeof createHome>, env: Record<string, string>): Promise<void> {
  const { stdout } = await home.run(['plugins', 'search', '--json'], { env });
  const { registry } = JSON.parse(stdout) as { registry: { unconfirmed: string } };
  const { code, stderr } = await home.run(['plugins', 'trust', registry.unconfirmed], { env });
  if (code !== 0) throw new Error(stderr);
}

async function repacked(folder: string, version: string): Promise<string> {
  const content = join(folder, 'content');
  mkdirSync(content, { recursive: true });
  await extract({ file: shipped, cwd: content });
  const manifest = JSON.parse(readFileSync(join(content, 'manifest.json'), 'utf8'));
  writeFileSync(join(content, 'manifest.json'), JSON.stringify({ ...manifest, version }));
  writeFileSync(join(content, 'driver.js'), `// ${version}\n`, { flag: 'a' });
  const file = join(folder, 'package.tgz');
  await create({ cwd: content, file, gzip: true }, readdirSync(content));
  return file;
}
