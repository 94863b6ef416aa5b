import { EventEmitter } from 'node:events';
import type { Core, CoreEvent } from '@trestle/core';
import { expect, test } from 'vitest';
import type { AppInfo } from './app.ts';
import { appRouter } from './router.ts';

/** A stream as it is before anybody pulled from it. */
async function open(signal: AbortSignal) {
  const hub = new EventEmitter();
  const core = {
    events: {
      on(listener: (event: CoreEvent) => void) {
        hub.on('event', listener);
        return () => hub.off('event', listener);
      },
    },
  } as unknown as Core;
  const app = { onOpenTable: () => () => {}, pageOpened: () => () => {} } as unknown as AppInfo;
  const stream = await appRouter.createCaller({ core, app }, { signal }).events.stream();
  return { hub, events: (stream as AsyncIterable<unknown>)[Symbol.asyncIterator]() };
}

test('what happens between the opening of the stream and the first pull is not lost', async () => {
  const stop = new AbortController();
  const { hub, events } = await open(stop.signal);
  hub.emit('event', { type: 'connectionsChanged' });
  expect(await events.next()).toEqual({ done: false, value: { type: 'connectionsChanged' } });
  stop.abort();
  expect(await events.next()).toMatchObject({ done: true });
  expect(hub.listenerCount('event')).toBe(0);
});

test('a page that is gone before the first pull leaves no listener behind', async () => {
  const stop = new AbortController();
  const { hub } = await open(stop.signal);
  expect(hub.listenerCount('event')).toBe(1);
  stop.abort();
  expect(hub.listenerCount('event')).toBe(0);
});
