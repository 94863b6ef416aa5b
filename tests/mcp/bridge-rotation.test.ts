import { setTimeout as delay } from 'node:timers/promises';
import { handshakePath, readHandshake } from '@trestle/handshake';
import { expect, test } from 'vitest';
import { spawnBridge } from './bridge-process.ts';
import { runServer } from './running-server.ts';

/*
 * The token changes every second under three bridges that call without a pause.
 * TRESTLE_ROTATION_SECONDS=300 is the long form; 10 seconds otherwise.
 */
const seconds = Number(process.env.TRESTLE_ROTATION_SECONDS ?? 10);

test(`no call fails while the token changes every second (${seconds} s)`, {
  timeout: 60_000 + seconds * 2_000,
}, async () => {
  const running = await runServer({ tokenLifetimeMs: 2_000, tokenRotateBeforeMs: 1_000 });
  const bridges = [1, 2, 3].map(() => spawnBridge(running.home));
  const until = Date.now() + seconds * 1000;
  const tokens = new Set<string>();
  const failures: unknown[] = [];
  let calls = 0;
  const callRepeatedly = async (bridge: (typeof bridges)[number]) => {
    while (Date.now() < until) {
      const { error, result } = await bridge.ask('tools/call', {
        name: 'execute_query',
        arguments: { connection_id: 'Open', query: `SELECT ${calls}` },
      });
      calls += 1;
      if (error || result?.isError) failures.push(error ?? result);
      const reading = readHandshake(handshakePath(running.home));
      if (reading.trusted && reading.handshake.state === 'running') tokens.add(reading.handshake.token);
      // A bridge may send 20 a second.
      await delay(60);
    }
  };
  try {
    await Promise.all(bridges.map(callRepeatedly));
    for (const bridge of bridges) expect(bridge.stderr()).toBe('');
  } finally {
    await Promise.all(bridges.map((bridge) => bridge.end()));
    await running.close();
  }
  console.log(`${calls} calls over ${tokens.size} tokens, ${failures.length} failed`);
  expect(failures).toEqual([]);
  expect(tokens.size).toBeGreaterThan(seconds / 2);
});
