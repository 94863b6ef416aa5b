import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { Manifest } from '@trestle/driver-kit';
import {
  indexStatement,
  packageStatement,
  type RegistryEntry,
  type RegistryIndex,
} from '@trestle/driver-kit/registry';
import { onTestFinished } from 'vitest';
import { driverEntries, tarOf, workingDriver } from '../../plugins/testing/driver-package.ts';

export const newKey = (): KeyObject => generateKeyPairSync('ed25519').privateKey;

export function publicKeyOf(key: KeyObject): string {
  const { x } = key.export({ format: 'jwk' }) as { x: string };
  return Buffer.from(x, 'base64url').toString('base64');
}

export interface Published {
  entry: RegistryEntry;
  bytes: Buffer;
}

/** A driver package with its registry entry, signed by its publisher. */
export function publish(
  manifest: Partial<Manifest> = {},
  {
    key,
    source = workingDriver,
    bytes = gzipSync(tarOf(driverEntries(manifest, source))),
  }: { key: KeyObject; source?: string; bytes?: Buffer },
): Published {
  const whole = JSON.parse(String(driverEntries(manifest)[0]!.body)) as Manifest;
  const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
  const statement = packageStatement(whole.id, whole.version, integrity);
  return {
    bytes,
    entry: {
      manifest: whole,
      kit: { from: 1, to: 1 },
      size: bytes.length,
      tarball: `${whole.id}-${whole.version}.tgz`,
      integrity,
      publisher: { name: 'Example Publisher', key: publicKeyOf(key) },
      signature: sign(null, statement, key).toString('base64'),
      changes: 'First version.',
    },
  };
}

type Answer = (request: IncomingMessage, response: ServerResponse) => boolean | undefined;

/**
 * A registry on loopback. If `down` is set, the registry answers nothing. `misbehave` may answer a request in its place,
 * and then returns true.
 */
export async function servedRegistry() {
  const key = newKey();
  const files = new Map<string, Buffer>();
  const requests: string[] = [];
  const control: { misbehave: Answer | null; down: boolean } = { misbehave: null, down: false };
  const server = createServer((request, response) => {
    requests.push(`${request.url}${request.headers.range ? ` ${request.headers.range}` : ''}`);
    if (control.down) return void request.socket.destroy();
    if (control.misbehave?.(request, response)) return;
    const body = files.get(decodeURIComponent(request.url ?? '').slice(1));
    if (!body) return void response.writeHead(404).end();
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
    response.writeHead(from > 0 ? 206 : 200, { 'content-length': body.length - from });
    response.end(body.subarray(from));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;

  function serve(
    published: Published[],
    { signers = [key], ...changes }: Partial<RegistryIndex> & { signers?: KeyObject[] } = {},
  ): void {
    const plugins = published.map(({ entry }) => entry);
    const index = {
      format: 1,
      name: 'Test',
      sequence: 1,
      signedAt: '2026-01-01T00:00:00Z',
      expiresAt: null,
      keys: signers.map(publicKeyOf),
      plugins,
      ...changes,
    };
    const payload = JSON.stringify(index);
    const signatures = signers.map((one) => ({
      key: publicKeyOf(one),
      signature: sign(null, indexStatement(payload), one).toString('base64'),
    }));
    files.set('index.json', Buffer.from(JSON.stringify({ payload, signatures })));
    for (const { entry, bytes } of published) files.set(entry.tarball, bytes);
  }
  return { address, key, pinned: { address, keys: [publicKeyOf(key)] }, files, requests, control, serve };
}
