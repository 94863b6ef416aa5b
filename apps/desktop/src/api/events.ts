import { EventEmitter, on } from 'node:events';
import type { CoreEvent } from '@trestle/core';
import type { TableToOpen } from '../table-opener.ts';
import { procedure, router } from './trpc.ts';

/** What the pages hear: what changed in the core, and what a client asks to be shown. */
export type WindowEvent = CoreEvent | ({ type: 'openTable' } & TableToOpen);

/** Every live update shares this one stream: a browser opens six connections to a host at most. */
export const eventProcedures = router({
  stream: procedure.subscription(async function* ({ ctx, signal }) {
    const queue = new EventEmitter();
    const stop = ctx.core.events.on((event) => queue.emit('event', event));
    const stopTables = ctx.app.onOpenTable((table) => queue.emit('event', { type: 'openTable', ...table }));
    const pageClosed = ctx.app.pageOpened();
    try {
      for await (const [event] of on(queue, 'event', { signal })) yield event as WindowEvent;
    } catch (error) {
      if (!signal?.aborted) throw error;
    } finally {
      stop();
      stopTables();
      pageClosed();
    }
  }),
});
