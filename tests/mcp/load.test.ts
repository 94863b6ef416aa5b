import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { spawnBridge } from './bridge-process.ts';
import {
  type Ask,
  judge,
  legacyAsk,
  modernAsk,
  nextCall,
  slowCall,
  type Verdict,
} from './load/load-client.ts';
import { type LoadServer, startLoadServer } from './load/load-server.ts';

/** The default is the short form. `TRESTLE_LOAD_SECONDS=120` is the long form. */
const seconds = Number(process.env.TRESTLE_LOAD_SECONDS ?? 5);
const clients = 64;

test(`${clients} clients get no wrong answer in ${seconds} s while tokens rotate and connections drop`, {
  timeout: (seconds * 3 + 120) * 1_000,
}, async () => {
  const server = await startLoadServer();
  const verdicts = new Map<string, number>();
  const wrong: string[] = [];
  const count = (verdict: Verdict) => {
    const name = typeof verdict === 'string' ? verdict : 'wrong';
    verdicts.set(name, (verdicts.get(name) ?? 0) + 1);
    if (typeof verdict !== 'string') wrong.push(verdict.wrong);
  };
  try {
    // The first round fills caches, pools and session slots. After it, memory and handles may grow only a little.
    await load(server, Math.max(3, seconds / 2), count);
    const before = await server.usage();
    await load(server, seconds, count);
    const after = await server.usage();
    console.log(
      `Load: ${JSON.stringify(Object.fromEntries(verdicts))}, ${JSON.stringify({ before, after })}`,
    );
    expect(wrong).toEqual([]);
    expect(verdicts.get('right')).toBeGreaterThan(clients);
    expect(verdicts.get('limited')).toBeGreaterThan(0);
    expect(verdicts.get('rotated')).toBeGreaterThan(0);
    expect(after.handles).toBeLessThanOrEqual(before.handles + 8);
    expect(after.heap).toBeLessThan(before.heap * 1.25 + 8_000_000);
    expect(after.drivers).toBeLessThanOrEqual(5);
    expect(after.isLogWhole).toBe(true);
  } finally {
    await server.stop();
  }
});

async function load(
  server: LoadServer,
  forSeconds: number,
  count: (verdict: Verdict) => void,
): Promise<void> {
  const until = Date.now() + forSeconds * 1_000;
  const isOver = () => Date.now() > until;
  await Promise.all([
    ...Array.from({ length: clients - 20 }, (_, seed) =>
      http(server, modernAsk(server.port), seed, isOver, count),
    ),
    ...Array.from({ length: 16 }, (_, seed) =>
      http(server, legacyAsk(server.port), seed + 500, isOver, count),
    ),
    ...Array.from({ length: 4 }, (_, seed) => bridge(server, seed + 900, isOver, count)),
    disturb(server, isOver),
    greed(server, isOver, count),
  ]);
}

/** A client whose token is replaced from time to time while its calls run. */
async function http(
  server: LoadServer,
  ask: Ask,
  seed: number,
  isOver: () => boolean,
  count: (verdict: Verdict) => void,
): Promise<void> {
  let token = await server.mint();
  for (let round = 0; !isOver(); round++) {
    const { method, params, isRight } = nextCall(seed * 7 + round, server.connections);
    const call = ask(method, params, token.secret);
    if (round % 8 !== seed % 8) {
      count(judge(await call, isRight));
    } else {
      // A call in flight may be answered or refused. A later call with the revoked token must be refused.
      call.catch(() => {});
      await server.revoke(token.id);
      count(judge(await call, isRight));
      count(judge(await ask('tools/list', {}, token.secret), () => false));
      token = await server.mint();
    }
    if (round % 10 === 0) await delay(20);
  }
  await server.revoke(token.id);
}

/** A client that calls through a bridge. The server renews the bridge's token about every two seconds. */
async function bridge(
  server: LoadServer,
  seed: number,
  isOver: () => boolean,
  count: (verdict: Verdict) => void,
): Promise<void> {
  const process = spawnBridge(server.home);
  for (let round = 0; !isOver(); round++) {
    const { method, params, isRight } = nextCall(seed * 7 + round, server.connections);
    const { result, error } = await process.ask(method, params);
    const status = error?.code === -33010 ? 429 : 200;
    const headers = new Headers(status === 429 ? { 'retry-after': '1' } : {});
    count(
      judge({ status, headers, message: { ...(result && { result }), ...(error && { error }) } }, isRight),
    );
  }
  await process.end();
}

async function disturb(server: LoadServer, isOver: () => boolean): Promise<void> {
  for (let round = 0; !isOver(); round++) {
    // The pause gives the sessions time to come back.
    await delay(2_000);
    await server.drop(round % 2 === 0 ? 'crash' : 'close');
  }
}

/** Sends more concurrent calls than a token may have. The queries are slow, so that they overlap. */
async function greed(
  server: LoadServer,
  isOver: () => boolean,
  count: (verdict: Verdict) => void,
): Promise<void> {
  const { id, secret } = await server.mint();
  const ask = modernAsk(server.port);
  while (!isOver()) {
    const { method, params, isRight } = slowCall(server.busyConnection);
    const calls = Array.from({ length: 40 }, async () =>
      count(judge(await ask(method, params, secret), isRight)),
    );
    await Promise.all(calls);
    await delay(200);
  }
  await server.revoke(id);
}
