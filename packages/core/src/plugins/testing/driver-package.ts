import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Manifest } from '@trestle/driver-kit';
import { Header, type HeaderData } from 'tar';
import { fixtureManifest } from '../../testing/fixture-driver.ts';
import { temporaryFolder } from '../../testing/test-core.ts';

export type Entry = HeaderData & { body?: string | Buffer };

export const workingDriver = `
export const driver = {
  async connect() {
    const session = { server: { product: 'Plugin', version: '1' }, async close() {}, async health() { return {} } };
    session.listTables = async () => [{ name: import.meta.dirname, kind: 'table' }];
    return session;
  },
};
`;

/** The entries of a driver that can be installed. */
export function driverEntries(changes: Partial<Manifest> = {}, source = workingDriver): Entry[] {
  const manifest = { ...fixtureManifest, id: 'plugin', name: 'Plugin', ...changes };
  return [
    { path: 'manifest.json', body: JSON.stringify(manifest) },
    { path: 'driver.js', body: source },
  ];
}

/** A tar archive of exactly these entries, valid or not. */
export function tarOf(entries: Entry[]): Buffer {
  const blocks = entries.flatMap(({ body = '', ...header }) => {
    const content = Buffer.from(body);
    const head = Buffer.alloc(512);
    new Header({ type: 'File', mode: 0o644, size: content.length, mtime: new Date(0), ...header }).encode(
      head,
    );
    return [head, content, Buffer.alloc((512 - (content.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

/** Writes a package. Returns its path. */
export function packageOf(entries: Entry[]): string {
  return packageFile(gzipSync(tarOf(entries)));
}

export function packageFile(bytes: Uint8Array): string {
  const path = join(temporaryFolder(), 'driver.tgz');
  writeFileSync(path, bytes);
  return path;
}
