import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Handshake, handshakePath, parseHandshake, readHandshake } from '@trestle/handshake';
import fc from 'fast-check';
import { afterAll, expect } from 'vitest';
import { fuzz } from './fuzz.ts';
import { anyText, type Damage, damage, damaged } from './texts.ts';

const home = mkdtempSync(join(tmpdir(), 'trestle-fuzz-'));
afterAll(() => rmSync(home, { recursive: true }));

const running = {
  version: 1,
  state: 'running',
  port: 23508,
  token: 'secret-token',
  tokenExpiresAt: '2026-07-28T00:00:00.000Z',
  pid: process.pid,
  instanceId: 'instance',
  secret: 'secret',
  appVersion: '0.1.0',
  protocolVersions: ['2026-07-28'],
  startedAt: '2026-07-28T00:00:00.000Z',
};

/** Expects that the bridge can use the handshake without further checks. */
function expectSound(handshake: Handshake): void {
  expect(handshake.version).toBe(1);
  expect(Number.isSafeInteger(handshake.pid) && handshake.pid > 0).toBe(true);
  for (const text of [handshake.instanceId, handshake.appVersion]) expect(text).toEqual(expect.any(String));
  if (handshake.state === 'disabled') return;
  expect(handshake.state).toBe('running');
  expect(handshake.port).toSatisfy((port: number) => Number.isInteger(port) && port > 0 && port < 65_536);
  // Throws if the token has a line break, which would start a second header.
  new Headers({ authorization: `Bearer ${handshake.token}` });
  expect(handshake.token).toMatch(/^[\w.~-]{1,1024}$/);
  expect(new URL(`http://127.0.0.1:${handshake.port}/mcp`).hostname).toBe('127.0.0.1');
  expect(handshake.protocolVersions.every((one) => typeof one === 'string')).toBe(true);
  expect(Number.isNaN(Date.parse(handshake.tokenExpiresAt))).toBe(false);
}

const value = fc.oneof(
  anyText,
  fc.jsonValue({ maxDepth: 1 }),
  fc.constantFrom(0, -1, 1.5, 65_535, 65_536, 2 ** 53, 'x'.repeat(1024), 'x'.repeat(1025), 'a\r\nb: c', 'é'),
);

fuzz({
  name: 'handshake-fields',
  holds: 'a handshake is refused with a reason, or the bridge can use it',
  short: 3000,
  inputs: fc.record({
    changed: fc.dictionary(fc.constantFrom(...Object.keys(running), '__proto__', 'extra'), value, {
      maxKeys: 3,
    }),
    removed: fc.option(fc.constantFrom(...Object.keys(running))),
  }),
  property({ changed, removed }) {
    const fields: Record<string, unknown> = { ...running, ...changed };
    if (removed !== null) delete fields[removed];
    const parsed = parseHandshake(JSON.stringify(fields));
    if (!parsed.ok) expect(parsed.problem).not.toBe('');
    else {
      expectSound(parsed.handshake);
      expect(parseHandshake(JSON.stringify(parsed.handshake))).toEqual(parsed);
    }
  },
});

fuzz<Damage[]>({
  name: 'handshake-files',
  holds: 'a damaged file is refused as malformed or stale, or the bridge can use it',
  short: 800,
  weight: 5,
  inputs: fc.array(damage, { minLength: 1, maxLength: 3 }),
  property(damages) {
    const path = handshakePath(home);
    writeFileSync(path, damaged(Buffer.from(JSON.stringify(running, null, 2)), damages), { mode: 0o600 });
    const reading = readHandshake(path);
    if (reading.trusted) expectSound(reading.handshake);
    else expect(['malformed', 'stale']).toContain(reading.reason);
  },
});
