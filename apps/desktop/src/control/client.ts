import { connect } from 'node:net';
import { AppError } from '@trestle/core';
import { readLine } from './line.ts';
import type { ControlAnswer } from './protocol.ts';
import { readControlSecret } from './secret.ts';
import { controlSocketPath } from './socket-path.ts';

interface CallOptions {
  passphrase?: string | null;
  mostSeconds?: number;
  /** An abort closes the socket. The app then cancels the command. */
  signal?: AbortSignal | undefined;
}

/** Sends a request to the running app. Returns `notRunning` if no app runs. */
export async function callRunningApp(
  dataDirectory: string,
  command: string,
  input: unknown = null,
  { passphrase = null, mostSeconds = answeredAtOnce.has(command) ? 10 : undefined, signal }: CallOptions = {},
): Promise<unknown> {
  const socket = connect(controlSocketPath(dataDirectory));
  const timer = mostSeconds && setTimeout(() => socket.destroy(noAnswer(mostSeconds)), mostSeconds * 1000);
  const cancel = () => socket.destroy(cancelled());
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    if (signal?.aborted) throw cancelled();
    // The limit is high: the app is trusted, and a single row of an export may be large.
    const answer = readLine(socket, mostAnswerBytes);
    socket.write(
      `${JSON.stringify({ secret: readControlSecret(dataDirectory), command, input, passphrase })}\n`,
    );
    const line = await answer;
    if (line === null) throw stopped();
    const parsed = JSON.parse(line) as ControlAnswer;
    if (!parsed.ok) throw new AppError(parsed.error);
    return parsed.result;
  } catch (error) {
    if (isNobodyThere(error)) return notRunning;
    throw isCut(error) ? stopped() : error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', cancel);
    socket.destroy();
  }
}

/**
 * These commands do no long work. The kernel accepts a connection to a suspended app too, so without a timeout the
 * command would wait for ever.
 */
const answeredAtOnce = new Set(['status', 'stop', 'link']);

/** A little less than Node's longest string, 512 MB. */
const mostAnswerBytes = 500 * 1024 * 1024;

export const notRunning = Symbol('notRunning');

function isNobodyThere(error: unknown): boolean {
  // ECONNREFUSED: the process is gone, and its socket file is left.
  return ['ENOENT', 'ENOTDIR', 'ECONNREFUSED'].includes(codeOf(error));
}

/** If the app is killed before it reads the command, the socket is reset. */
function isCut(error: unknown): boolean {
  return ['ECONNRESET', 'EPIPE'].includes(codeOf(error));
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function stopped(): AppError {
  return new AppError({ code: 'internal', message: 'Trestle stopped before it answered' });
}

function noAnswer(mostSeconds: number): AppError {
  return new AppError({
    code: 'timeout',
    message: `The running Trestle did not answer within ${mostSeconds} seconds`,
    hint: 'It may be busy or suspended. Try again. If this error stays, end its process and start Trestle again.',
  });
}

function cancelled(): AppError {
  return new AppError({ code: 'cancelled', message: 'Cancelled' });
}
