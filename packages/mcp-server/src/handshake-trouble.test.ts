import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { handshakePath, readHandshake } from '@trestle/handshake';
import { expect, onTestFinished, test } from 'vitest';
import { startMcpServer } from './server.ts';
import { superviseMcpServer } from './supervisor.ts';
import { useTestServer } from './testing/test-server.ts';

const t = useTestServer();

/** Makes the handshake unwritable, even for root. */
function block(): () => void {
  const path = handshakePath(t.home);
  rmSync(path, { force: true });
  mkdirSync(path);
  writeFileSync(join(path, 'x'), '');
  return () => rmSync(path, { recursive: true });
}

const supervise = async (options = {}) => {
  await t.server.close();
  const log = (line: string) => t.logged.push(line);
  const supervisor = await superviseMcpServer({
    core: t.fake.core,
    home: t.home,
    appVersion: '1',
    log,
    ...options,
  });
  onTestFinished(() => supervisor.close());
  return supervisor;
};

test('a failure to write the bridge token is logged once, and shown until the token can be written', async () => {
  const supervisor = await supervise({ tokenLifetimeMs: 60_000, tokenRotateBeforeMs: 59_990 });
  const unblock = block();
  const unheard = () => {
    const status = supervisor.status();
    return status.state === 'running' ? status.unheard : undefined;
  };
  await expect.poll(unheard).toBeTruthy();
  expect(unheard()).toEqual({
    message: `The handshake ${handshakePath(t.home)} cannot be written: a folder is in its place`,
    expiresAt: expect.stringMatching(/Z$/),
  });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(t.logged.filter((line) => line.includes('could not be renewed'))).toHaveLength(1);
  unblock();
  await expect.poll(unheard).toBeNull();
  expect(t.handshake().port).toBeGreaterThan(0);
});

test('a missing handshake is written again when a bridge asks for it, and a valid handshake stays', async () => {
  const supervisor = await supervise();
  const before = t.handshake();
  await supervisor.announce();
  expect(t.handshake()).toEqual(before);
  rmSync(handshakePath(t.home));
  await supervisor.announce();
  expect(t.handshake()).toMatchObject({ port: before.port, instanceId: before.instanceId });

  t.fake.core.settings.update({ mcpEnabled: false });
  await expect.poll(() => supervisor.status().state).toBe('disabled');
  rmSync(handshakePath(t.home));
  await supervisor.announce();
  expect(readHandshake(handshakePath(t.home))).toMatchObject({ handshake: { state: 'disabled' } });
});

test('if the handshake cannot say that the server is turned off, the log has the reason', async () => {
  t.fake.core.settings.update({ mcpEnabled: false });
  await t.server.close();
  block();
  await supervise();
  expect(t.logged).toContain(
    `The handshake ${handshakePath(t.home)} cannot be written: a folder is in its place`,
  );
});

test('if a bridge asks for the handshake while the server stops, the handshake says that the server is turned off', async () => {
  const supervisor = await supervise();
  t.fake.core.settings.update({ mcpEnabled: false });
  // The server first removes its handshake, then closes its sockets. The sockets take longer than this loop.
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  expect(readHandshake(handshakePath(t.home))).toMatchObject({ reason: 'missing' });
  await supervisor.announce();
  expect(readHandshake(handshakePath(t.home))).toMatchObject({ handshake: { state: 'disabled' } });
});

test('a server that could not start tries again when a bridge asks for the handshake', async () => {
  await t.server.close();
  const unblock = block();
  const supervisor = await supervise();
  expect(supervisor.status().state).toBe('failed');
  unblock();
  await supervisor.announce();
  expect(supervisor.status()).toMatchObject({ state: 'running', port: t.handshake().port });
});

test('after a failed start, the handshake no longer says that the server is turned off', async () => {
  t.fake.core.settings.update({ mcpEnabled: false });
  const failing = new AbortController();
  failing.abort(new Error('no'));
  const supervisor = await supervise({ signal: failing.signal });
  expect(readHandshake(handshakePath(t.home))).toMatchObject({ handshake: { state: 'disabled' } });
  t.fake.core.settings.update({ mcpEnabled: true });
  await expect.poll(() => supervisor.status()).toEqual({ state: 'failed', message: 'no' });
  expect(readHandshake(handshakePath(t.home))).toMatchObject({ reason: 'missing' });
});

test('tryPreferredPort moves the server to the preferred port only if that port is free', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port: preferred } = taken.address() as AddressInfo;
  const supervisor = await supervise({ port: preferred });
  const before = t.handshake();
  expect(before.port).not.toBe(preferred);
  expect(supervisor.status()).toMatchObject({ port: before.port, preferred });
  expect(await supervisor.tryPreferredPort()).toBe(false);
  expect(t.handshake()).toEqual(before);
  taken.close();
  await once(taken, 'close');
  expect(await supervisor.tryPreferredPort()).toBe(true);
  expect(supervisor.status()).toMatchObject({ state: 'running', port: preferred });
});

test('a failed start leaves no event listener and no listening socket behind', async () => {
  await t.server.close();
  const unblock = block();
  const { core } = t.fake;
  const listening = new Set<() => void>();
  const events = {
    ...core.events,
    on(listener: Parameters<typeof core.events.on>[0]) {
      const stop = core.events.on(listener);
      listening.add(stop);
      return () => {
        listening.delete(stop);
        stop();
      };
    },
  };
  const servers = () => process.getActiveResourcesInfo().filter((one) => one === 'TCPServerWrap').length;
  const before = servers();
  const watched = Object.create(core, { events: { value: events } });
  const start = startMcpServer({ core: watched, home: t.home, appVersion: '1', log: () => {}, port: 0 });
  await expect(start).rejects.toThrow('cannot be written');
  expect([listening.size, servers()]).toEqual([0, before]);
  unblock();
});
