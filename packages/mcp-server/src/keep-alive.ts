import type { ServerContext } from '@modelcontextprotocol/server';

/**
 * Runs a call with a signal of its own and tells a client that asked for progress that it is still running.
 * The protocol layer's signal also fires after every normal end; what it reached by then would be cancelled.
 */
export async function keepAlive<T>(
  { mcpReq }: ServerContext,
  run: (signal: AbortSignal) => Promise<T>,
  {
    everyMs = 5_000,
    waitsFor = () => 'Waiting for the database',
  }: { everyMs?: number | undefined; waitsFor?: () => string } = {},
): Promise<T> {
  const controller = new AbortController();
  const abort = () => controller.abort(mcpReq.signal.reason);
  if (mcpReq.signal.aborted) abort();
  mcpReq.signal.addEventListener('abort', abort, { once: true });
  const progressToken = mcpReq._meta?.progressToken;
  let progress = 0;
  const report = () => {
    const params = { progressToken, progress: ++progress, message: waitsFor() };
    // A client that has gone away is told nothing; its signal ends the call.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
  };
  const timer = progressToken === undefined ? undefined : setInterval(report, everyMs).unref();
  try {
    return await run(controller.signal);
  } finally {
    clearInterval(timer);
    mcpReq.signal.removeEventListener('abort', abort);
  }
}
