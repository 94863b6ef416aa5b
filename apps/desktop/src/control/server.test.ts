import { spawnSync } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { AppError } from '@trestle/core';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { callRunningApp, notRunning } from './client.ts';
import { readLine } from './line.ts';
import { readControlSecret } from './secret.ts';
import { type ControlServer, type HandleCommand, serveControl } from './server.ts';
import { controlSocketPath } from './socket-path.ts';

let folder: string;
let server: ControlServer | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trestle-control-'));
});
afterEach(async () => {
  await server?.close();
  rmSync(folder, { recursive: true });
});

async function serve(handle: HandleCommand): Promise<string> {
  server = await serveControl(folder, handle);
  return controlSocketPath(folder);
}

/** The socket's answer to raw bytes. */
async function send(path: string, bytes: string): Promise<string> {
  const socket = connect(path);
  socket.on('error', () => {});
  socket.write(bytes);
  return text(socket);
}

test('a command gets its input and returns its result', async () => {
  await serve(async (command, input) => ({ command, input }));
  expect(await callRunningApp(folder, 'echo', { a: 'ünï\n' })).toEqual({
    command: 'echo',
    input: { a: 'ünï\n' },
  });
});

test('an error arrives with its code and its hint', async () => {
  await serve(async () => {
    throw new AppError({ code: 'conflict', message: 'No', hint: 'Try another' });
  });
  await expect(callRunningApp(folder, 'x')).rejects.toMatchObject({
    code: 'conflict',
    message: 'No',
    hint: 'Try another',
  });
});

test('no socket, or the socket file of a killed process, means not running', async () => {
  expect(await callRunningApp(folder, 'status')).toBe(notRunning);
  const script = `require('node:net').createServer().listen(${JSON.stringify(controlSocketPath(folder))}, () => process.kill(process.pid, 'SIGKILL'))`;
  spawnSync(process.execPath, ['-e', script]);
  expect(existsSync(controlSocketPath(folder))).toBe(true);
  expect(await callRunningApp(folder, 'status')).toBe(notRunning);
  await serve(async () => 'again');
  expect(await callRunningApp(folder, 'status')).toBe('again');
});

test('an app that exits before it reads the command counts as stopped', async () => {
  const dying = createServer({ pauseOnConnect: true }, (socket) => socket.destroy());
  await new Promise<void>((ready) => dying.listen(controlSocketPath(folder), ready));
  onTestFinished(() => void dying.close());
  await expect(callRunningApp(folder, 'x', 'x'.repeat(4_000_000))).rejects.toMatchObject({
    name: 'AppError',
    message: 'Trestle stopped before it answered',
  });
});

test('only the owner may use the socket or read its secret, and the secret is deleted when the socket closes', async () => {
  const path = await serve(async () => null);
  const secret = join(folder, 'control-secret');
  expect([statSync(path).mode & 0o777, statSync(secret).mode & 0o777]).toEqual([0o600, 0o600]);
  await server?.close();
  expect(existsSync(secret)).toBe(false);
});

test('a program that reaches the socket but cannot read the secret runs nothing', async () => {
  const handle = vi.fn(async () => 'reached');
  const path = await serve(handle);
  const secret = readControlSecret(folder);
  const guesses = [{}, { secret: '' }, { secret: null }, { secret: `${secret}x` }, { secret: [secret] }];
  for (const guess of guesses) {
    const answer = await send(
      path,
      `${JSON.stringify({ command: 'link', input: null, passphrase: null, ...guess })}\n`,
    );
    expect(JSON.parse(answer)).toMatchObject({ ok: false });
  }
  expect(handle).not.toHaveBeenCalled();
});

test('each run has its own secret', async () => {
  await serve(async () => null);
  const first = readControlSecret(folder);
  await server?.close();
  const path = await serve(async () => 'reached');
  const request = { secret: first, command: 'link', input: null, passphrase: null };
  expect(JSON.parse(await send(path, `${JSON.stringify(request)}\n`))).toMatchObject({
    ok: false,
    error: { code: 'forbidden' },
  });
});

test('hanging up cancels the command', async () => {
  const begun = Promise.withResolvers<AbortSignal>();
  const path = await serve(async (_command, _input, { signal }) => {
    begun.resolve(signal);
    return new Promise(() => {});
  });
  const socket = connect(path);
  socket.write(
    `${JSON.stringify({ secret: readControlSecret(folder), command: 'slow', input: null, passphrase: null })}\n`,
  );
  const signal = await begun.promise;
  const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve));
  socket.destroy();
  await aborted;
});

test.each(['nonsense\n', '{"command":1}\n', '[]\n', '{"command":"x","input":null,"more":1}\n'])(
  'the line %j is refused',
  async (line) => {
    const path = await serve(async () => 'reached');
    expect(JSON.parse(await send(path, line))).toMatchObject({ ok: false });
  },
);

test('a line that is too long gets no answer', async () => {
  const path = await serve(async () => 'reached');
  expect(await send(path, 'x'.repeat(17 * 1024 * 1024)).catch(() => '')).toBe('');
});

test('data after the line is dropped', async () => {
  const peer = new EventEmitter();
  const line = readLine(peer as Socket);
  peer.emit('data', Buffer.from('one\ntwo\n'));
  expect(await line).toBe('one');
  expect(peer.listenerCount('data')).toBe(0);
});

test('if the path of the data directory is too long, the socket is in the user’s folder in /tmp, named by a hash of the path', () => {
  const long = join('/home', 'x'.repeat(120));
  const path = controlSocketPath(long, 'linux');
  expect(path).toMatch(/^\/tmp\/trestle-\d+\/[0-9a-f]{16}\.sock$/);
  expect(controlSocketPath(long, 'linux')).toBe(path);
  expect(controlSocketPath(`${long}y`, 'linux')).not.toBe(path);
  expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700);
  expect(controlSocketPath(long, 'win32')).toMatch(/^\\\\\.\\pipe\\trestle-[0-9a-f]{16}$/);
});

test('a result that JSON cannot hold is an error of the command', async () => {
  await serve(async () => ({ total: 3n }));
  await expect(callRunningApp(folder, 'x')).rejects.toMatchObject({ code: 'internal' });
});

test('if the app accepts the connection and does not answer, the call times out', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const connected = Promise.withResolvers<Socket>();
  const suspended = createServer(connected.resolve);
  await new Promise<void>((ready) => suspended.listen(controlSocketPath(folder), ready));
  onTestFinished(() => {
    vi.useRealTimers();
    suspended.close();
  });
  const answer = callRunningApp(folder, 'status').catch((error: unknown) => error);
  const socket = await connected.promise;
  socket.resume();
  vi.advanceTimersByTime(10_000);
  expect(await answer).toMatchObject({
    code: 'timeout',
    message: 'The running Trestle did not answer within 10 seconds',
  });
});
