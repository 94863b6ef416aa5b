import { chmodSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { appErrorDetails, isAppError } from '@trestle/core';
import { readLine } from './line.ts';
import { type ControlAnswer, controlRequest } from './protocol.ts';
import { type ControlSecret, createControlSecret } from './secret.ts';
import { controlSocketPath } from './socket-path.ts';

export type HandleCommand = (
  command: string,
  input: unknown,
  given: { signal: AbortSignal; passphrase: string | null },
) => Promise<unknown>;

export interface ControlServer {
  close(): Promise<void>;
}

/**
 * Answers the commands on the socket. Call this function only while holding the instance lock: it deletes an existing
 * socket file, which could belong to a running app if the lock is not held.
 */
export async function serveControl(dataDirectory: string, handle: HandleCommand): Promise<ControlServer> {
  const path = controlSocketPath(dataDirectory);
  const secret = createControlSecret(dataDirectory);
  const isPipe = path.startsWith('\\\\');
  if (!isPipe) rmSync(path, { force: true });
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    socket.on('error', () => socket.destroy());
    void answerOne(socket, secret, handle);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });
  if (!isPipe) chmodSync(path, 0o600);
  return {
    close: () =>
      new Promise((resolve) => {
        secret.remove();
        server.close(() => resolve());
        for (const socket of open) socket.destroySoon();
      }),
  };
}

async function answerOne(socket: Socket, secret: ControlSecret, handle: HandleCommand): Promise<void> {
  const line = await readLine(socket).catch(() => null);
  if (line === null) return;
  const gone = new AbortController();
  socket.once('close', () => gone.abort());
  const answer = await answerTo(line, secret, handle, gone.signal);
  socket.end(`${answer}\n`);
}

async function answerTo(
  line: string,
  secret: ControlSecret,
  handle: HandleCommand,
  signal: AbortSignal,
): Promise<string> {
  try {
    const { command, input, passphrase, secret: given } = controlRequest.parse(JSON.parse(line));
    if (!secret.matches(given)) return written({ ok: false, error: notOurs });
    // `written` throws for a bigint, which a driver may have put into the result.
    return written({ ok: true, result: (await handle(command, input, { signal, passphrase })) ?? null });
  } catch (error) {
    if (isAppError(error)) return written({ ok: false, error: appErrorDetails(error) });
    const message = error instanceof Error ? error.message : String(error);
    return written({ ok: false, error: { code: 'internal', message } });
  }
}

function written(answer: ControlAnswer): string {
  return JSON.stringify(answer);
}

const notOurs = {
  code: 'forbidden',
  message: 'The running Trestle did not accept this command',
  hint: 'Run the command as the user who started Trestle. If that is this user, end its process and start Trestle again.',
} as const;
