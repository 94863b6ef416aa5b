import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunningHandshake } from '@trestle/handshake';
import { onTestFinished } from 'vitest';
import { bridgeFile } from './running-server.ts';

/** Parameters of an older client's first request. */
export const initialize = (protocolVersion = '2025-06-18') => ({
  protocolVersion,
  capabilities: {},
  clientInfo: { name: 'raw', version: '1' },
});
export function temporaryHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'trestle-bridge-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

/** Installs a copy of the bridge. To start the app, this copy runs the shell script `launcher`. */
export function installBridge(home: string, launcher: string): string {
  const folder = mkdtempSync(join(home, 'install-'));
  mkdirSync(join(folder, 'dist'));
  mkdirSync(join(folder, 'bin'));
  copyFileSync(bridgeFile, join(folder, 'dist', 'trestle-mcp.cjs'));
  writeFileSync(join(folder, 'dist', 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'bin', 'trestle'), `#!/bin/sh\n${launcher}\n`, { mode: 0o755 });
  return join(folder, 'dist', 'trestle-mcp.cjs');
}

export const fakeHandshake: RunningHandshake = {
  version: 1,
  state: 'running',
  port: 1,
  token: 'trs_bridge_secret-token',
  tokenExpiresAt: new Date(Date.now() + 3_600_000).toISOString(),
  pid: process.pid,
  instanceId: 'instance',
  secret: 'secret',
  appVersion: '0.0.1',
  protocolVersions: ['2026-07-28'],
  startedAt: new Date().toISOString(),
};
