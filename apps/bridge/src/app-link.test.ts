import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { AppLink } from './app-link.ts';

const waits = vi.hoisted((): number[] => []);
vi.mock('node:timers/promises', () => ({
  setTimeout: async (ms: number) => {
    waits.push(ms);
    vi.setSystemTime(Date.now() + ms);
  },
}));

test('after a start, the bridge looks for the app every 200 ms, for 10 seconds', async () => {
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
