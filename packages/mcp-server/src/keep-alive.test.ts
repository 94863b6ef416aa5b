import type { ServerContext } from '@modelcontextprotocol/server';
import { expect, test } from 'vitest';
import { keepAlive } from './keep-alive.ts';

function context(progressToken?: string) {
  const controller = new AbortController();
  const notes: unknown[] = [];
  const mcpReq = {
    signal: controller.signal,
    _meta: progressToken === undefined ? undefined : { progressToken },
    notify: async (note: unknown) => {
      notes.push(note);
    },
  };
  return { controller, notes, context: { mcpReq } as unknown as ServerContext };
}

test('a client that asked for progress hears that the call still runs', async () => {
  const { context: asked, notes } = context('p-1');
  const done = Promise.withResolvers<string>();
  const call = keepAlive(asked, () => done.promise, { everyMs: 1 });
  await expect.poll(() => notes.length).toBeGreaterThan(1);
  done.resolve('ready');
  expect(await call).toBe('ready');
  expect(notes.slice(0, 2)).toEqual([
    {
      method: 'notifications/progress',
      params: { progressToken: 'p-1', progress: 1, message: expect.any(String) },
    },
    {
      method: 'notifications/progress',
      params: { progressToken: 'p-1', progress: 2, message: expect.any(String) },
    },
  ]);
});

test('the signal of the call fires on a cancel, and not on one after the end', async () => {
  const during = context();
  const cancelled = keepAlive(
    during.context,
    (signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve('cancelled'))),
  );
  during.controller.abort();
  expect(await cancelled).toBe('cancelled');

  const after = context();
  let kept: AbortSignal | undefined;
  await keepAlive(after.context, async (signal) => {
    kept = signal;
  });
  after.controller.abort();
  expect(kept?.aborted).toBe(false);
});
