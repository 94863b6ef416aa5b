import { EventEmitter, getEventListeners } from 'node:events';
import type { Core, CoreEvent } from '@trestle/core';
import { expect, test } from 'vitest';
import type { AppInfo } from './app-info.ts';
import { eventStream } from './events.ts';
import { Pages } from './pages.ts';

/** A stream that nobody has read yet. */
function open(...signals: AbortSignal[]) {
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
  const pages = new Pages();
  const stream = eventStream({ core, app, pages }, 'page', signals);
  const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
  return { hub, reader, gone: () => pages.goneSignal('page').aborted };
}

test('events between the opening of the stream and the first read are not lost', async () => {
  const stop = new AbortController();
  const { hub, reader } = open(stop.signal);
  hub.emit('event', { type: 'connectionsChanged' });
  expect((await reader.read()).value).toBe('\n{"type":"connectionsChanged"}\n');
  stop.abort();
  expect(await reader.read()).toMatchObject({ done: true });
  expect(hub.listenerCount('event')).toBe(0);
});

test('for a page that does not read, equal events wait once, and too many become one', async () => {
  const { hub, reader } = open();
  const job = (id: number) => hub.emit('event', { type: 'jobChanged', id: `${id}` });
  for (let progress = 0; progress < 100_000; progress++) job(progress % 10);
  const lines = async () => (await reader.read()).value?.trim().split('\n') ?? [];
  expect(await lines()).toHaveLength(10);
  for (let id = 0; id < 100_000; id++) job(id);
  const [first, ...rest] = await lines();
  expect(first).toBe('{"type":"eventsMissed"}');
  expect(rest.length).toBeLessThan(1000);
  expect(rest.at(-1)).toContain('99999');
});

test('a page that is closed, or whose key has ended, no longer listens to the core', async () => {
  for (const which of [0, 1]) {
    const signals = [new AbortController(), new AbortController()];
    const { hub, gone } = open(...signals.map(({ signal }) => signal));
    expect([hub.listenerCount('event'), gone()]).toEqual([1, false]);
    signals[which]!.abort();
    expect([hub.listenerCount('event'), gone()]).toEqual([0, true]);
  }
});

test('a page that is gone leaves no listener on the signal of its window’s key', () => {
  const [page, key] = [new AbortController(), new AbortController()];
  open(page.signal, key.signal);
  expect(getEventListeners(key.signal, 'abort')).toHaveLength(1);
  page.abort();
  expect(getEventListeners(key.signal, 'abort')).toHaveLength(0);
});
