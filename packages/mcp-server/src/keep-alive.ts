import type { ServerContext } from '@modelcontextprotocol/server';

/** A call as it was asked for. */
export interface Asked {
  /** Fires when the client cancels or goes away; it may fire after a normal end too. */
  signal: AbortSignal;
  /** Present where the client asked for progress. */
  tell?: ((progress: { progress: number; message: string }) => void) | undefined;
}

/** A call that comes through the protocol layer. */
export function askedOf({ mcpReq }: ServerContext): Asked {
  const progressToken = mcpReq._meta?.progressToken;
  return {
    signal: mcpReq.signal,
    tell:
      progressToken === undefined
        ? undefined
        : (progress) => {
            const params = { progressToken, ...progress };
            // A client that has gone away is told nothing; its signal ends the call.
            mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
          },
  };
}

/**
 * Runs a call, ends it through its controller when the client wants no more of it, and tells a client that asked for
 * progress that it is still running. After the end nothing reaches the controller: what the call left behind would
 * be cancelled.
 */
export async function keepAlive<T>(
  asked: Asked,
  controller: AbortController,
  run: (report: (message: string) => void) => Promise<T>,
  {
    everyMs = 5_000,
    waitsFor = () => 'Waiting for the database',
  }: { everyMs?: number | undefined; waitsFor?: () => string } = {},
): Promise<T> {
  const { signal, tell } = asked;
  const abort = () => controller.abort(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  let progress = 0;
  let last = waitsFor;
  const send = () => tell?.({ progress: ++progress, message: last() });
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

/** The least time between two reports of a call's own. */
const reportMs = 500;

/** Passes the first message on, and then the newest, no more often than the client can read them. */
function reporter(send: (message: string) => void): (message: string) => void {
  let sentAt = Number.NEGATIVE_INFINITY;
  return (message) => {
    const now = performance.now();
    if (now - sentAt < reportMs) return;
    sentAt = now;
    send(message);
  };
}
