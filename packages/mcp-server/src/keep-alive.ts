import type { ServerContext } from '@modelcontextprotocol/server';
import { type OwnText, own } from '@trestle/core';

/** A call as the client sent it. */
export interface Asked {
  /** Fires when the client cancels or disconnects. It may also fire after the call has ended. */
  signal: AbortSignal;
  /** Set if the client asked for progress. */
  tell?: ((progress: { progress: number; message: string }) => void) | undefined;
}

/** Reads the call from the SDK's context. */
export function askedOf({ mcpReq }: ServerContext): Asked {
  const progressToken = mcpReq._meta?.progressToken;
  return {
    signal: mcpReq.signal,
    tell:
      progressToken === undefined
        ? undefined
        : (progress) => {
            const params = { progressToken, ...progress };
            // A disconnected client gets nothing. Its signal ends the call.
            mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
          },
  };
}

/**
 * Runs a call. Aborts it when the client cancels, and reports progress to a client that asked for it. The client's
 * signal is ignored after the call has ended, because it would cancel work that the call left running.
 */
export async function keepAlive<T>(
  asked: Asked,
  controller: AbortController,
  run: (report: (message: OwnText) => void) => Promise<T>,
  {
    everyMs = 5_000,
    waitsFor = () => own`Waiting for the database`,
  }: { everyMs?: number | undefined; waitsFor?: () => OwnText } = {},
): Promise<T> {
  const { signal, tell } = asked;
  const abort = () => controller.abort(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  let progress = 0;
  let last = waitsFor;
  const send = () => tell?.({ progress: ++progress, message: last().toString() });
  const timer = tell && setInterval(send, everyMs).unref();
  const report = reporter((message) => {
    last = () => message;
    send();
  });
  try {
    return await run(report);
  } finally {
    clearInterval(timer);
    signal.removeEventListener('abort', abort);
  }
}

/** The minimum time between two progress reports of the call itself. */
const reportMs = 500;

/** Passes on the first message, then at most one per `reportMs`. Drops the others: no reader is that fast. */
function reporter(send: (message: OwnText) => void): (message: OwnText) => void {
  let sentAt = Number.NEGATIVE_INFINITY;
  return (message) => {
    const now = performance.now();
    if (now - sentAt < reportMs) return;
    sentAt = now;
    send(message);
  };
}
