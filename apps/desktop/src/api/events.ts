import { EventEmitter, on } from 'node:events';
import type { CoreEvent } from '@trestle/core';
import { procedure, router } from './trpc.ts';

/** Every live update shares this one stream: a browser opens six connections to a host at most. */
export const eventProcedures = router({
  stream: procedure.subscription(async function* ({ ctx, signal }) {
    const queue = new EventEmitter();
    const stop = ctx.core.events.on((event) => queue.emit('event', event));
    const pageClosed = ctx.app.pageOpened();
    try {
      for await (const [event] of on(queue, 'event', { signal })) yield event as CoreEvent;
    } catch (error) {
      if (!signal?.aborted) throw error;
    } finally {
      stop();
      pageClosed();
    }
  }),
});
