import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';

const certificates = join(import.meta.dirname, '../../../../tests/real-weaviate/certificates');
const certificate = (name: string) => join(certificates, name);

/** Reads a file of an HTTPS registry in a process of its own, whose system trusts the authorities in `trusted`. */
async function readIn(port: number, trusted: string): Promise<string> {
  const source = pathToFileURL(join(import.meta.dirname, 'registry-source.ts'));
  const program = `const { readRegistryFile } = await import(${JSON.stringify(source)});
    const options = { signal: new AbortController().signal, maxBytes: 100 };
    const read = readRegistryFile(new URL('https://127.0.0.1:${port}/'), 'index.json', options);
    console.log(await read.then(String, (error) => error.message));`;
  const env = { PATH: process.env.PATH, SSL_CERT_FILE: trusted, SSL_CERT_DIR: '/nonexistent' };
  const args = ['--input-type=module', '-e', program];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  return stdout.trim();
}

test('a registry with a certificate of an authority that the system trusts is read; another is not', async () => {
  const server = createServer(
    { cert: readFileSync(certificate('own-ca.pem')), key: readFileSync(certificate('own-ca-key.pem')) },
    (_request, response) => response.end('the index'),
  );
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  expect(await readIn(port, certificate('ca.pem'))).toBe('the index');
  expect(await readIn(port, '/nonexistent')).toMatch(/cannot be reached|certificate/);
});
