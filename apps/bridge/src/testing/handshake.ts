import type { RunningHandshake } from '@trestle/handshake';

/** The handshake of an app that runs in the process of the test and listens on this port. */
export function handshakeOf(port: number, token = 'token'): RunningHandshake {
  return {
    version: 1,
    state: 'running',
    port,
    token,
    tokenExpiresAt: new Date(Date.now() + 3_600_000).toISOString(),
    pid: process.pid,
    instanceId: 'instance',
    secret: 'secret',
    appVersion: '0.1.0',
    protocolVersions: ['2026-07-28'],
    startedAt: new Date().toISOString(),
  };
}
