import type { Core, CoreEvent } from '@trestle/core';
import type { TableToOpen } from '../table-opener.ts';
import type { AppInfo } from './app.ts';

/** What the pages hear: what changed in the core, and what a client asks to be shown. */
export type WindowEvent = CoreEvent | ({ type: 'openTable' } & TableToOpen);

/**
 * `GET /events`: a line of JSON for each event. The page reads it with fetch, since an EventSource sends no headers.
 * Every live update shares this one stream: a browser opens six connections to a host at most. It listens from the
 * moment it is asked for: a page reads everything once when the stream opens, and no change after that may be lost.
 */
export function eventStream(
  { core, app }: { core: Pick<Core, 'events'>; app: Pick<AppInfo, 'onOpenTable' | 'pageOpened'> },
  signals: AbortSignal[],
): Response {
  const encoder = new TextEncoder();
  let end = () => {};
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const send = (event: WindowEvent) => controller.enqueue(encoder.encode(`${JSON.stringify(event)}\n`));
      const closers = [
        core.events.on(send),
        app.onOpenTable((table) => send({ type: 'openTable', ...table })),
        app.pageOpened(),
      ];
      end = () => {
        for (const closer of closers.splice(0)) closer();
      };
      const close = () => {
        end();
        try {
          controller.close();
        } catch {
          // The page has gone already.
        }
      };
      // An empty line tells the page that the stream is open.
      controller.enqueue(encoder.encode('\n'));
      for (const signal of signals) signal.addEventListener('abort', close, { once: true });
      if (signals.some(({ aborted }) => aborted)) close();
    },
    cancel: () => end(),
  });
  return new Response(body, { headers: { 'content-type': 'application/x-ndjson' } });
}
