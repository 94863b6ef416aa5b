import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  challengeHeader,
  proofHeader,
  proofPath,
  prove,
  type RunningHandshake,
  writeHandshake,
} from '@trestle/handshake';
import { expect, onTestFinished, test } from 'vitest';
import { doctorText, examine } from './doctor.ts';

test('if the app closes the socket after its first answer, the check "connections" fails', async () => {
  const home = mkdtempSync(join(tmpdir(), 'trestle-doctor-'));
  const server = createServer((request, response) => {
    if (request.url === proofPath) {
      const proof = prove(handshake, String(request.headers[challengeHeader]));
      response.writeHead(204, { [proofHeader]: proof }).end();
    } else if (request.headers['mcp-method'] === 'server/discover') {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 'server/discover', result: {} }));
    } else request.socket.destroy();
  }).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
    rmSync(home, { recursive: true });
  });
  await once(server, 'listening');
  const handshake: RunningHandshake = {
    version: 1,
    state: 'running',
    port: (server.address() as AddressInfo).port,
    token: 'token',
    tokenExpiresAt: new Date(Date.now() + 3_600_000).toISOString(),
    pid: process.pid,
    instanceId: 'instance',
    secret: 'secret',
    appVersion: '0.1.0',
    protocolVersions: ['2026-07-28'],
    startedAt: new Date().toISOString(),
  };
  writeHandshake(home, handshake);
  const checks = await examine(home, 'doctor-1');
  expect(checks.map(({ name, ok }) => [name, ok])).toEqual([
    ['handshake', true],
    ['trust', true],
    ['version', true],
    ['port', true],
    ['token', true],
    ['connections', false],
  ]);
  expect(doctorText(checks)).toMatch(
    /Clients reach Trestle, but cannot use a connection: see "connections"\.\n$/,
  );
});
