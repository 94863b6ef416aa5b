import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { directDial } from '@trestle/driver-kit/testing';
import { expect, onTestFinished, test } from 'vitest';
import { silence } from './client.ts';
import { driver } from './driver.ts';

const call = { signal: new AbortController().signal };

test('the client closes an unused socket before the server does', { timeout: 10_000 }, async () => {
  // Proxies are known that wait only 5 seconds.
  expect(silence.idleMs).toBeLessThan(5_000);
  const before = { ...silence };
  Object.assign(silence, { idleMs: 50 });
  onTestFinished(() => void Object.assign(silence, before));
  const server = createServer((_request, response) => response.end('{"version":"1.39.0"}'));
  // This server never closes an unused socket, and tells the client no time limit.
  server.keepAliveTimeout = 0;
  const { promise: closedByClient, resolve } = Promise.withResolvers<void>();
  server.on('connection', (socket: Socket) => socket.once('end', resolve));
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const fields = { host: '127.0.0.1', port, authMethod: 'none', sslMode: 'disabled' };
  const session = await driver.connect({ fields, log: () => {}, dial: directDial(fields) }, call);
  onTestFinished(() => session.close());
  await closedByClient;
});
