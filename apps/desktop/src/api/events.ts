import { EventEmitter, on } from 'node:events';
import type { CoreEvent } from '@trestle/core';
import type { TableToOpen } from '../table-opener.ts';
import { procedure, router } from './trpc.ts';

/** What the pages hear: what changed in the core, and what a client asks to be shown. */
export type WindowEvent = CoreEvent | ({ type: 'openTable' } & TableToOpen);

/**
 * Every live update shares this one stream: a browser opens six connections to a host at most. It listens from
 * the moment it is asked for: a page reads everything once when the stream opens, and what changes between
 * that and the first pull must not be lost.
 */
export const eventProcedures = router({
  stream: procedure.subscription(({ ctx, signal }) => {
    const queue = new EventEmitter();
    const events = on(queue, 'event', { signal });
    const closers = [
      ctx.core.events.on((event) => queue.emit('event', event)),
      ctx.app.onOpenTable((table) => queue.emit('event', { type: 'openTable', ...table })),
      ctx.app.pageOpened(),
    ];
    const close = () => {
      for (const closer of closers.splice(0)) closer();
    };
    // A page that is gone before the first pull never enters the generator, nor its `finally`.
    signal?.addEventListener('abort', close, { once: true });
    return pull(events, signal, close);
  }),
});

async function* pull(
  events: AsyncIterable<unknown[]>,
  signal: AbortSignal | undefined,
  close: () => void,
): AsyncGenerator<WindowEvent> {
  try {
    for await (const [event] of events) yield event as WindowEvent;
  } catch (error) {
    if (!signal?.aborted) throw error;
  } finally {
    close();
  }
}
