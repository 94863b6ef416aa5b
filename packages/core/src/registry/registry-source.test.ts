import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { createServer as createPlainServer } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../testing/test-core.ts';
import { openRegistryFile, readRegistryFile } from './registry-source.ts';

test('if a local download is cancelled before its first byte, its reader gets the error `cancelled`, and no error is unhandled', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'driver.tgz'), 'some bytes');
  const base = pathToFileURL(`${folder}/`);
  for (const early of [true, false]) {
    const controller = new AbortController();
    if (early) controller.abort();
    const options = { signal: controller.signal, maxBytes: 100 };
    const { chunks } = await openRegistryFile(base, 'driver.tgz', options);
    controller.abort();
    // If there is an unhandled error, Node reports it now.
    await new Promise(setImmediate);
    await expect(Array.fromAsync(chunks)).rejects.toMatchObject({ code: 'cancelled' });
  }
});

test.runIf(process.platform !== 'win32')('a file: address of another host cannot be read', async () => {
  const options = { signal: new AbortController().signal, maxBytes: 100 };
  await expect(readRegistryFile(new URL('file://nas/plugins/'), 'index.json', options)).rejects.toMatchObject(
    {
      code: 'connection_failed',
      message:
        'The plugin registry at file://nas/plugins/index.json cannot be read: the address is not a path on this machine',
    },
  );
});

test.runIf(process.platform === 'linux')(
  'a local download does not open its file before the first read',
  async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'driver.tgz');
    writeFileSync(path, 'some bytes');
    const options = { signal: new AbortController().signal, maxBytes: 100 };
    const { chunks } = await openRegistryFile(pathToFileURL(`${folder}/`), 'driver.tgz', options);
    const openFiles = readdirSync('/proc/self/fd').map((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`);
      } catch {
        return '';
      }
    });
    expect(openFiles).not.toContain(path);
    expect(String(Buffer.concat(await Array.fromAsync(chunks)))).toBe('some bytes');
  },
);

test('a download may take longer than the idle limit if the server keeps sending, and fails if the server stops sending', async () => {
  const server = createPlainServer(async (request, response) => {
    for (let part = 0; part < 6; part++) {
      response.write('part ');
      await setTimeout(request.url === '/steady.tgz' ? 300 : 60_000, undefined, { ref: false });
    }
    response.end();
  });
  server.listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  const base = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const options = { signal: new AbortController().signal, maxBytes: 100, idleMs: 1500 };
  expect(String(await readRegistryFile(base, 'steady.tgz', options))).toBe('part '.repeat(6));
  await expect(readRegistryFile(base, 'stopped.tgz', options)).rejects.toMatchObject({
    code: 'connection_failed',
    message: expect.stringContaining('it does not answer'),
  });
});

// On Windows and macOS the certificate authorities are in a store that a test must not change.
test.runIf(process.platform === 'linux')(
  'a registry can be read if this machine trusts its certificate authority and Node does not',
  async () => {
    const certificates = join(import.meta.dirname, '../../../../tests/real-weaviate/certificates');
    const read = (name: string) => readFileSync(join(certificates, name), 'utf8');
    const server = createServer({ cert: read('own-ca.pem'), key: read('own-ca-key.pem') }, (_, response) =>
      response.end('the index'),
    );
    server.listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const program = `
    import { readRegistryFile } from ${JSON.stringify(join(import.meta.dirname, 'registry-source.ts'))};
    const options = { signal: new AbortController().signal, maxBytes: 100 };
    const base = new URL('https://localhost:${port}/');
    console.log(await readRegistryFile(base, 'index.json', options).then(String, (error) => error.message));`;
    const readWith = async (authorities: string) => {
      const env = { ...process.env, SSL_CERT_FILE: join(certificates, authorities), NODE_EXTRA_CA_CERTS: '' };
      const args = ['--input-type=module', '-e', program];
      return (await promisify(execFile)(process.execPath, args, { env })).stdout.trim();
    };
    expect(await readWith('ca.pem')).toBe('the index');
    expect(await readWith('self-signed.pem')).toMatch(/certificate/);
  },
);
