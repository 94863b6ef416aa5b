import { setTimeout as delay } from 'node:timers/promises';
import { handshakePath, readHandshake } from '@trestle/handshake';
import { expect, test } from 'vitest';
import { spawnBridge } from './bridge-process.ts';
import { runServer } from './running-server.ts';

/*
 * The token changes every second while three bridges keep calling. TRESTLE_ROTATIONS=300 is the long form; the default
 * is 8.
 */
const rotations = Number(process.env.TRESTLE_ROTATIONS ?? 8);

test(`no call fails while the token changes every second (${rotations} times)`, {
  timeout: 120_000 + rotations * 10_000,
}, async () => {
  const running = await runServer({ tokenLifetimeMs: 2_000, tokenRotateBeforeMs: 1_000 });
  const bridges = [1, 2, 3].map(() => spawnBridge(running.home));
  const tokens = new Set<string>();
  const failures: unknown[] = [];
  let calls = 0;
  const callRepeatedly = async (bridge: (typeof bridges)[number]) => {
    while (tokens.size <= rotations) {
      const { error, result } = await bridge.ask('tools/call', {
        name: 'execute_query',
        arguments: { connection_id: 'Open', query: `SELECT ${calls}` },
      });
      calls += 1;
      if (error || result?.isError) failures.push(error ?? result);
      const reading = readHandshake(handshakePath(running.home));
      if (reading.trusted && reading.handshake.state === 'running') tokens.add(reading.handshake.token);
      // By default a bridge may send 1,200 requests a minute.
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
});
