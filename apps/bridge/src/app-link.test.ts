import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { modernProtocolVersion, writeHandshake } from '@trestle/handshake';
import { expect, onTestFinished, test, vi } from 'vitest';
import { AppLink } from './app-link.ts';

const waits = vi.hoisted((): number[] => []);
vi.mock('node:timers/promises', () => ({
  setTimeout: async (ms: number) => {
    waits.push(ms);
    vi.setSystemTime(Date.now() + ms);
  },
}));

test('the bridge starts the app once, then looks for a handshake every 200 ms for 10 seconds', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const home = mkdtempSync(join(tmpdir(), 'trestle-link-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  let launches = 0;
  const app = new AppLink({
    home,
    launch: async () => {
      launches++;
      return { end: () => undefined };
    },
  });
  await expect(app.endpoint()).rejects.toThrow(/no trusted handshake within 10 seconds/);
  expect(launches).toBe(1);
  expect(waits).toEqual(Array.from({ length: 50 }, () => 200));
});

test('if no new handshake follows a start, the message says that the old one is still there', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const home = mkdtempSync(join(tmpdir(), 'trestle-link-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  writeHandshake(home, {
    version: 1,
    state: 'running',
    pid: process.pid,
    instanceId: 'old',
    appVersion: '0.1.0',
    startedAt: new Date().toISOString(),
    port: 1,
    token: 'token',
    tokenExpiresAt: new Date(Date.now() + 3_600_000).toISOString(),
    secret: 'secret',
    protocolVersions: [modernProtocolVersion],
  });
  const app = new AppLink({ home, launch: async () => ({ end: () => undefined }) });
  onTestFinished(() => app.close());
  const old = await app.endpoint();
  await expect(app.renew(old, 'unreachable')).rejects.toThrow(
    'no new handshake within 10 seconds (the old one is still there)',
  );
});
