import { expect, test } from 'vitest';
import { type Asked, keepAlive } from './keep-alive.ts';

test('a client that asked for progress hears that the call still runs', async () => {
  const told: unknown[] = [];
  const asked: Asked = {
    signal: new AbortController().signal,
    tell: (progress) => told.push(progress),
  };
  const done = Promise.withResolvers<string>();
  const call = keepAlive(asked, new AbortController(), () => done.promise, { everyMs: 1 });
  await expect.poll(() => told.length).toBeGreaterThan(1);
  done.resolve('ready');
  expect(await call).toBe('ready');
  expect(told.slice(0, 2)).toEqual([
    { progress: 1, message: expect.any(String) },
    { progress: 2, message: expect.any(String) },
  ]);
});

test('a cancel by the client aborts a running call, but not a call that has ended', async () => {
  const during = new AbortController();
  const call = new AbortController();
  const cancelled = keepAlive(
    { signal: during.signal },
    call,
    () => new Promise((resolve) => call.signal.addEventListener('abort', () => resolve('cancelled'))),
  );
  during.abort('gone');
  expect(await cancelled).toBe('cancelled');
  expect(call.signal.reason).toBe('gone');

  const after = new AbortController();
  const ended = new AbortController();
  await keepAlive({ signal: after.signal }, ended, async () => {});
  after.abort();
  expect(ended.signal.aborted).toBe(false);
});

test('a call whose client is already gone starts cancelled', async () => {
  const call = new AbortController();
  await keepAlive({ signal: AbortSignal.abort() }, call, async () => {});
  expect(call.signal.aborted).toBe(true);
});
