import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { modernProtocolVersion, writeHandshake } from '@trestle/handshake';
import { expect, onTestFinished, test, vi } from 'vitest';
import { doctorText, examine } from './doctor.ts';
import { Upstream } from './upstream.ts';

test('if only the list of connections fails, the report names it, and does not say that Trestle is stopped', async () => {
  const home = mkdtempSync(join(tmpdir(), 'trestle-doctor-'));
  writeHandshake(home, {
    version: 1,
    state: 'running',
    port: 1,
    token: 'trs_bridge_x',
    tokenExpiresAt: new Date(Date.now() + 3_600_000).toISOString(),
    pid: process.pid,
    instanceId: 'instance',
    secret: 'secret',
    appVersion: '0.0.1',
    protocolVersions: [modernProtocolVersion],
    startedAt: new Date().toISOString(),
  });
  const sending = vi.spyOn(Upstream.prototype, 'send').mockImplementation(async ({ message, onMessage }) => {
    if (message.method !== 'server/discover') throw new Error('the connection was closed');
    onMessage({ jsonrpc: '2.0', id: 'server/discover', result: {} });
  });
  onTestFinished(() => {
    sending.mockRestore();
    rmSync(home, { recursive: true });
  });
  const checks = await examine(home, 'process');
  expect(checks.map(({ name, ok }) => [name, ok])).toEqual([
    ...['handshake', 'trust', 'version', 'port', 'token'].map((name) => [name, true]),
    ['connections', false],
  ]);
  expect(checks.at(-1)?.detail).toBe('the connection was closed');
  expect(doctorText(checks)).toContain('see "connections"');
});
