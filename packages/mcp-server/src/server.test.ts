import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createChallenge, handshakePath, readHandshake, verifyProof } from '@trestle/handshake';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { superviseMcpServer } from './supervisor.ts';
import { postModern } from './testing/post.ts';
import { useTestServer } from './testing/test-server.ts';

const t = useTestServer();

describe('handshake', () => {
  test('names the port and is removed with the server', async () => {
    expect(t.handshake()).toMatchObject({
      port: t.server.port,
      instanceId: t.server.instanceId,
      appVersion: '1.2.3',
    });
    await t.server.close();
    expect(readHandshake(handshakePath(t.home))).toMatchObject({ reason: 'missing' });
  });

  test('if the port is taken, the kernel chooses another', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port } = taken.address() as AddressInfo;
    const second = await t.start({ port });
    expect(second.port).not.toBe(port);
    await second.close();
    taken.close();
  });

  test('the endpoint answers a challenge with a proof, and a malformed challenge with 400', async () => {
    const challenge = createChallenge();
    const ask = (value: string) =>
      fetch(`http://127.0.0.1:${t.server.port}/trestle-proof`, {
        method: 'POST',
        headers: { 'Trestle-Challenge': value },
      });
    const response = await ask(challenge);
    const proof = response.headers.get('trestle-proof') ?? undefined;
    expect(verifyProof(t.handshake(), challenge, proof)).toBe(true);
    expect((await ask('x')).status).toBe(400);
  });

  test('by default the bridge token lasts an hour and is renewed 15 minutes before it expires', async () => {
    const minted = Date.now();
    vi.useFakeTimers({ now: minted, toFake: ['Date', 'setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const server = await t.start();
    onTestFinished(() => server.close());
    const minutes = 60_000;
    const first = t.handshake();
    expect(Date.parse(first.tokenExpiresAt)).toBe(minted + 60 * minutes);
    vi.advanceTimersByTime(45 * minutes - 1);
    expect(t.handshake().token).toBe(first.token);
    // The server checks every 30 seconds whether the token must be renewed.
    vi.advanceTimersByTime(1 * minutes);
    const next = t.handshake();
    expect(next.token).not.toBe(first.token);
    expect(Date.parse(next.tokenExpiresAt) - minted).toBeGreaterThanOrEqual(105 * minutes);
  });

  test('the bridge token is renewed before it expires, and the old token is still valid after the renewal', async () => {
    await t.server.close();
    t.server = await t.start({ tokenLifetimeMs: 60_000, tokenRotateBeforeMs: 59_990 });
    const first = t.handshake().token;
    await expect.poll(() => t.handshake().token).not.toBe(first);
    expect((await t.run({ query: 'x' }, { Authorization: `Bearer ${first}` })).status).toBe(200);
    expect((await t.run({ query: 'x' }, { Authorization: `Bearer ${t.handshake().token}` })).status).toBe(
      200,
    );
  });

  test('an expired bridge token is refused, and by then the handshake holds a fresh one', async () => {
    await t.server.close();
    t.server = await t.start({ tokenLifetimeMs: 400, tokenRotateBeforeMs: 50 });
    const first = t.handshake();
    await expect.poll(() => Date.now()).toBeGreaterThan(Date.parse(first.tokenExpiresAt));
    const answer = await t.run({ query: 'x' }, { Authorization: `Bearer ${first.token}` });
    expect([answer.status, answer.message.error?.code]).toEqual([401, -33009]);
    expect(t.handshake().token).not.toBe(first.token);
  });
});

test('the Mcp-Name header of a tool call may be plain or in base64', async () => {
  const name = 'list_connections';
  const encoded = `=?base64?${Buffer.from(name).toString('base64')}?=`;
  for (const header of [name, ` ${name} `, encoded]) {
    const { message } = await postModern(
      t.server.port,
      'tools/call',
      { name, arguments: {} },
      { 'Mcp-Name': header },
    );
    expect([header, message.error, message.result?.isError ?? false]).toEqual([header, undefined, false]);
  }
});

test('a client that goes away cancels its call', async () => {
  const controller = new AbortController();
  const request = t.startWaitingCall(controller.signal);
  // The headers arrive while the call runs.
  expect((await request).status).toBe(200);
  const signal = await t.fake.waiting;
  expect(signal.aborted).toBe(false);
  controller.abort();
  await expect.poll(() => signal.aborted).toBe(true);
});

test('the setting mcpEnabled starts and stops the server, and the handshake says if the server is turned off', async () => {
  await t.server.close();
  const supervisor = await superviseMcpServer({
    core: t.fake.core,
    home: t.home,
    appVersion: '1',
    log: () => {},
  });
  expect(supervisor.status()).toEqual({
    state: 'running',
    port: t.handshake().port,
    preferred: 0,
    unheard: null,
  });
  t.fake.core.settings.update({ mcpEnabled: false });
  await expect.poll(() => supervisor.status().state).toBe('disabled');
  expect(readHandshake(handshakePath(t.home))).toMatchObject({
    trusted: true,
    handshake: { state: 'disabled' },
  });
  t.fake.core.settings.update({ mcpEnabled: true });
  await expect.poll(() => supervisor.status().state).toBe('running');
  expect((await postModern(t.handshake().port, 'tools/list')).status).toBe(200);
  await supervisor.close();
  expect(readHandshake(handshakePath(t.home))).toMatchObject({ reason: 'missing' });
});
