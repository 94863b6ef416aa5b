import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { challengeHeader, proofHeader, proofPath, prove, writeHandshake } from '@trestle/handshake';
import { expect, onTestFinished, test } from 'vitest';
import { doctorText, examine } from './doctor.ts';
import { handshakeOf } from './testing/handshake.ts';

test('if the app answers server/discover but not resources/list, the check "connections" fails', async () => {
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
  const handshake = handshakeOf((server.address() as AddressInfo).port);
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

test('if the app that wrote the handshake is gone, the doctor says so, and not that a start failed', async () => {
  const home = mkdtempSync(join(tmpdir(), 'trestle-doctor-'));
  const server = createServer((_, response) => response.writeHead(404).end()).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
    rmSync(home, { recursive: true });
  });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  writeHandshake(home, { ...handshakeOf(port), tokenExpiresAt: new Date(Date.now() - 1_000).toISOString() });
  const checks = await examine(home, 'doctor-1');
  expect(checks.find(({ ok }) => ok === false)).toEqual({
    name: 'port',
    ok: false,
    detail: expect.stringMatching(
      /^Trestle is not running: the app that wrote the handshake no longer listens\. Open Trestle/,
    ),
  });
});

test('a handshake whose app is gone is no failure if a call would start Trestle', async () => {
  const home = mkdtempSync(join(tmpdir(), 'trestle-doctor-'));
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => rmSync(home, { recursive: true }));
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  writeHandshake(home, handshakeOf(port));
  const checks = await examine(home, 'doctor-1', { canStart: true });
  expect(checks.find(({ name }) => name === 'port')).toEqual({
    name: 'port',
    ok: null,
    detail: 'The app that wrote the handshake no longer listens. The first call of a client starts it.',
  });
  expect(doctorText(checks)).toMatch(/Trestle is not running\. The first call of a client starts it\.\n$/);
});

test('on Windows, the check "trust" names neither the owner nor the readers of the file', async () => {
  const home = mkdtempSync(join(tmpdir(), 'trestle-doctor-'));
  const { getuid } = process;
  delete process.getuid;
  onTestFinished(() => {
    process.getuid = getuid;
    rmSync(home, { recursive: true });
  });
  writeHandshake(home, { ...handshakeOf(1), protocolVersions: [] });
  const checks = await examine(home, 'doctor-1');
  expect(checks.find(({ name }) => name === 'trust')?.detail).toBe(
    `a regular file; process ${process.pid} runs`,
  );
});
