import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, createServer as createRawServer, type Server } from 'node:net';
import { join } from 'node:path';
import type { ConnectStage } from '@trestle/driver-kit';
import { directDial } from '@trestle/driver-kit/testing';
import { expect, onTestFinished, test } from 'vitest';
import { driver } from './driver.ts';
import { call } from './testing/fixed-server.ts';

const certificates = join(import.meta.dirname, '..', '..', '..', 'tests', 'real-weaviate', 'certificates');
const tls = {
  cert: readFileSync(join(certificates, 'self-signed.pem')),
  key: readFileSync(join(certificates, 'self-signed-key.pem')),
};
const page = '<!DOCTYPE html><html><body><h1>Welcome to nginx!</h1></body></html>';

/** Connects. Returns the stages that were reached, and the message and hint of the error: empty without an error. */
async function attempt(server: Server, more: Record<string, string> = {}) {
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const fields = { host: '127.0.0.1', port, authMethod: 'none', sslMode: 'disabled', ...more };
  const seen = new Set<ConnectStage>();
  const options = {
    fields,
    log: () => {},
    dial: directDial(fields),
    stage: (one: ConnectStage) => seen.add(one),
  };
  try {
    const session = await driver.connect(options, call);
    await session.close();
    return { stages: [...seen], message: '', hint: '' };
  } catch (error) {
    const { message, hint } = error as { message: string; hint?: string };
    return {
      stages: [...seen],
      message: message.replaceAll(`127.0.0.1:${port}`, 'ADDRESS'),
      hint: hint ?? '',
    };
  }
}

const answering = (status: number, body: string) =>
  createServer((_request, response) => response.writeHead(status).end(body));
const meta = JSON.stringify({ version: '1.39.0' });

test('the driver connects to a Weaviate server and reports its stages, without and with TLS', async () => {
  expect(await attempt(answering(200, meta))).toMatchObject({
    stages: ['authenticate', 'version'],
    message: '',
  });
  const secure = createSecureServer(tls, (_request, response) => response.end(meta));
  expect(await attempt(secure, { sslMode: 'requiredSkipVerify' })).toMatchObject({
    stages: ['tls', 'authenticate', 'version'],
    message: '',
  });
});

test.each([
  [200, page],
  [401, page],
  [403, page],
  [404, page],
  [200, '{"version":{"number":"8.1"}}'],
  [404, '{"detail":"Not Found"}'],
  [403, '{"detail":"Forbidden"}'],
  [200, ''],
])(
  'a server that answers HTTP %i with %j is reported as not Weaviate, and its body is not shown',
  async (status, body) => {
    const outcome = await attempt(answering(status, body));
    expect(outcome).toEqual({
      stages: ['authenticate', 'version'],
      message: `Connection failed: ADDRESS answers, but is not a Weaviate server (HTTP ${status})`,
      hint: 'Check host and port: something else listens there.',
    });
  },
);

test.each([502, 503, 504])(
  'a gateway that answers HTTP %i is reported as not ready, not as a server other than Weaviate',
  async (status) => {
    expect(await attempt(answering(status, page))).toEqual({
      stages: ['authenticate', 'version'],
      message: `Connection failed: ADDRESS answers with HTTP ${status}`,
      hint: 'The server, or a proxy in front of it, is not ready. Try again in a moment.',
    });
  },
);

test('if the key may not read the version, the error contains the message of the server', async () => {
  const body = JSON.stringify({ error: [{ message: 'forbidden: user "ada" may not read meta' }] });
  expect(await attempt(answering(403, body))).toEqual({
    stages: ['authenticate'],
    message: 'Weaviate refuses this: forbidden: user "ada" may not read meta',
    hint: "Give the key's role the permission named here, or use another key.",
  });
});

test('a server that does not speak HTTP is reported as not Weaviate', async () => {
  const greeting = createRawServer((socket) => {
    socket.on('error', () => {});
    socket.end('SSH-2.0-OpenSSH_9.2\r\n');
  });
  const { message, stages } = await attempt(greeting);
  expect(message).toBe(
    'Connection failed: ADDRESS answers, but is not a Weaviate server: it does not speak HTTP',
  );
  expect(stages).toEqual(['authenticate']);
});

test('a self-signed certificate fails the TLS stage, and the hint names two settings that accept the certificate', async () => {
  const secure = createSecureServer(tls, (_request, response) => response.end(meta));
  const { stages, hint } = await attempt(secure, { sslMode: 'required' });
  expect(stages).toEqual(['tls']);
  expect(hint).toContain('SSL Mode Required (skip verify)');
  expect(hint).toContain('Skip TLS Verification');
});

test('if the server requires a key and gets none, the error contains the message of the server', async () => {
  const refused = answering(401, '{"code":401,"message":"anonymous access not enabled"}');
  expect(await attempt(refused)).toMatchObject({
    stages: ['authenticate'],
    message: 'Authentication failed: anonymous access not enabled',
  });
});
