import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { challengeHeader, proofHeader, proofPath, prove, type RunningHandshake } from '@trestle/handshake';
import { expect, onTestFinished, test } from 'vitest';
import { ProvedAgent } from './proved-agent.ts';

const handshake: RunningHandshake = {
  version: 1,
  state: 'running',
  port: 1,
  token: 'token',
  tokenExpiresAt: '2030-01-01T00:00:00.000Z',
  pid: process.pid,
  instanceId: 'instance',
  secret: 'secret',
  appVersion: '0.1.0',
  protocolVersions: ['2026-07-28'],
  startedAt: '2029-12-31T23:00:00.000Z',
};

/** A server that proves itself, and an agent that connects to it. `answer` handles all other requests. */
async function agentTo(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const sockets: Socket[] = [];
  const server = createServer((request, response) => {
    if (request.url !== proofPath) return answer(request, response);
    const challenge = String(request.headers[challengeHeader]);
    response.writeHead(204, { [proofHeader]: prove({ ...handshake, port }, challenge) }).end();
  });
  server.on('connection', (socket) => sockets.push(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const agent = new ProvedAgent({ ...handshake, port });
  onTestFinished(() => {
    agent.destroy();
    server.closeAllConnections();
    server.close();
  });
  return {
    agent,
    sockets,
    server,
    ask: (path = '/', signal?: AbortSignal) => ask(agent, port, path, signal),
  };
}

async function ask(agent: ProvedAgent, port: number, path = '/', signal?: AbortSignal): Promise<string> {
  const sent = request({ agent, host: '127.0.0.1', port, path, ...(signal && { signal }) }).end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  sent.on('error', () => {});
  return textOf(answer);
}

test('sequential calls share a connection, concurrent calls do not', async () => {
  const { sockets, ask } = await agentTo((request, response) => response.end(request.url));
  for (const path of ['/1', '/2', '/3']) expect(await ask(path)).toBe(path);
  expect(sockets).toHaveLength(1);
  const paths = Array.from({ length: 5 }, (_, number) => `/${number}`);
  expect(await Promise.all(paths.map((path) => ask(path)))).toEqual(paths);
  expect(sockets).toHaveLength(5);
});

test('four of the connections that concurrent calls open are kept', async () => {
  const { sockets, ask } = await agentTo((request, response) => {
    setTimeout(() => response.end(request.url), 5);
  });
  const paths = Array.from({ length: 20 }, (_, number) => `/${number}`);
  expect(await Promise.all(paths.map((path) => ask(path)))).toEqual(paths);
  await expect.poll(() => sockets.filter((socket) => !socket.destroyed).length).toBe(4);
});

test('a connection that the app has closed is not used again', async () => {
  const { sockets, ask } = await agentTo((_, response) => response.end('yes'));
  expect(await ask()).toBe('yes');
  sockets[0]?.end();
  await expect.poll(() => sockets[0]?.destroyed).toBe(true);
  expect(await ask()).toBe('yes');
  expect(sockets).toHaveLength(2);
});

test('a connection that the app is about to close is not used again', async () => {
  const { sockets, ask } = await agentTo((_, response) => {
    response.shouldKeepAlive = false;
    response.end('yes');
  });
  expect([await ask(), await ask()]).toEqual(['yes', 'yes']);
  expect(sockets).toHaveLength(2);
});

test('an idle connection is closed after 60 seconds, a busy one is not', async () => {
  const { promise: isOver, resolve: end } = Promise.withResolvers<void>();
  const { agent, sockets, ask } = await agentTo(async (request, response) => {
    if (request.url === '/slow') await isOver;
    response.end('yes');
  });
  expect(await ask()).toBe('yes');
  const idle = Object.values(agent.freeSockets).flat()[0]!;
  expect(idle.timeout).toBe(60_000);
  const slow = ask('/slow');
  idle.emit('timeout');
  end();
  expect(await slow).toBe('yes');
  idle.emit('timeout');
  await expect.poll(() => sockets[0]?.destroyed).toBe(true);
  expect(await ask()).toBe('yes');
  expect(sockets).toHaveLength(2);
});

test('a connection on which unexpected bytes arrive is not used again', async () => {
  const { sockets, ask } = await agentTo((_, response) => response.end('yes'));
  expect(await ask()).toBe('yes');
  sockets[0]?.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nno');
  await expect.poll(() => sockets[0]?.destroyed).toBe(true);
  expect(await ask()).toBe('yes');
  expect(sockets).toHaveLength(2);
});

test('an interrupted answer fails only its own call', async () => {
  const { ask } = await agentTo((request, response) => {
    if (request.url !== '/broken') return response.end('yes');
    response.write('part');
    setTimeout(() => request.socket.destroy(), 10);
  });
  const [broken, whole] = await Promise.allSettled([ask('/broken'), ask('/whole')]);
  expect(broken).toMatchObject({ status: 'rejected' });
  expect(whole).toEqual({ status: 'fulfilled', value: 'yes' });
  expect(await ask()).toBe('yes');
});

test('closing the agent ends its running calls', async () => {
  const { agent, ask } = await agentTo(() => agent.destroy());
  await expect(ask()).rejects.toThrow('socket hang up');
});

test('if nothing listens, the call fails as unreachable', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  await expect(ask(new ProvedAgent({ ...handshake, port }), port)).rejects.toMatchObject({
    name: 'ConnectFailure',
    kind: 'unreachable',
  });
});

test('if the server has too many connections, the error of the call names that as a possible reason', async () => {
  const { promise: isOver, resolve: end } = Promise.withResolvers<void>();
  const { server, sockets, ask } = await agentTo(async (_, response) => {
    await isOver;
    response.end('yes');
  });
  server.maxConnections = 1;
  const first = ask();
  await expect.poll(() => sockets.length).toBe(1);
  await expect(ask()).rejects.toMatchObject({
    kind: 'unproved',
    message:
      'it closed the connection before it answered the challenge: Trestle may be stopping, or too many unproven connections are open',
  });
  end();
  expect(await first).toBe('yes');
});

test('a call that is cancelled before it has its connection sends nothing, and the next call gets that connection', async () => {
  const heard: unknown[] = [];
  const { sockets, ask } = await agentTo((request, response) => {
    heard.push(request.url);
    response.end('yes');
  });
  const controller = new AbortController();
  const cancelled = ask('/cancelled', controller.signal);
  controller.abort();
  await expect(cancelled).rejects.toThrow('aborted');
  await expect.poll(() => sockets.length).toBe(1);
  expect(await ask('/next')).toBe('yes');
  expect(sockets).toHaveLength(1);
  expect(heard).toEqual(['/next']);
});
