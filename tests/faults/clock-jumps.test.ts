import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { spawnBridge } from '../mcp/bridge-process.ts';
import { handshakeOf, runServer } from '../mcp/running-server.ts';
import { tally } from './tally.ts';

/** Set TRESTLE_CLOCK_JUMPS=50 for a long run. */
const jumps = Number(process.env.TRESTLE_CLOCK_JUMPS ?? 8);
const hour = 3_600_000;

afterEach(() => {
  vi.useRealTimers();
});

/** Moves the app's clock, as a suspended laptop or a corrected time does. The bridge keeps the machine's clock. */
function jump(ms: number): void {
  const now = Date.now();
  vi.useRealTimers();
  vi.useFakeTimers({ toFake: ['Date'], now: now + ms });
}

const ask = (bridge: ReturnType<typeof spawnBridge>) =>
  bridge.ask('tools/call', {
    name: 'execute_query',
    arguments: { connection_id: 'Open', query: 'SELECT 1' },
  });

test(`calls work after the clock jumps over the expiry of the bridge's token (${jumps} times forward and back)`, {
  timeout: 120_000 + jumps * 20_000,
}, async () => {
  const running = await runServer();
  onTestFinished(() => running.close());
  const bridge = spawnBridge(running.home);
  onTestFinished(async () => void (await bridge.end()));
  expect((await ask(bridge)).result?.isError).toBeFalsy();
  for (let round = 0; round < jumps; round++) {
    const before = handshakeOf(running).token;
    // The clock jumps past the end of the token's life, and back by the same amount.
    const far = (round + 1) * 26 * hour;
    for (const ms of [far, -far]) {
      jump(ms);
      const { error, result } = await ask(bridge);
      expect([round, ms, error, Boolean(result?.isError)]).toEqual([round, ms, undefined, false]);
    }
    expect(handshakeOf(running).token).not.toBe(before);
  }
  expect(bridge.stderr()).toBe('');
  tally('clock jumps', 2 * jumps);
});

test('a token of the user ends when the clock passes its expiry, and works again when the clock is put back', async () => {
  const running = await runServer();
  onTestFinished(() => running.close());
  const { secret } = running.createToken({ expiresAt: new Date(Date.now() + hour).toISOString() });
  const call = async () => {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
    const { port } = handshakeOf(running);
    const answer = await fetch(`http://127.0.0.1:${port}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${secret}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify(body),
    });
    return { status: answer.status, text: await answer.text() };
  };
  expect((await call()).status).not.toBe(401);
  jump(2 * hour);
  const late = await call();
  expect(late.status).toBe(401);
  expect(late.text).toContain('expired');
  jump(-2 * hour);
  expect((await call()).status).not.toBe(401);
  tally('clock jumps', 2);
});
