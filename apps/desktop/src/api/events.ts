import type { Core, CoreEvent } from '@trestle/core';
import type { TableToOpen } from '../table-opener.ts';
import type { AppInfo } from './app-info.ts';

/** The events for pages: the events of the core, and requests of clients to show a table. */
export type WindowEvent = CoreEvent | ({ type: 'openTable' } & TableToOpen);

/**
 * `GET /events`: one line of JSON per event. The page reads the lines with fetch, since an EventSource cannot send the
 * header with the key. All events share one stream, because a browser opens only a few connections per host. The stream
 * also keeps events that arrive before the page reads.
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
          // The page is gone already.
        }
      };
      // Starts the body before the first event. The page ignores empty lines.
      controller.enqueue(encoder.encode('\n'));
      // The signal of the window outlives the page. So the stream removes its abort listeners when the stream ends.
      for (const signal of signals) {
        signal.addEventListener('abort', close, { once: true });
        closers.push(() => signal.removeEventListener('abort', close));
      }
      if (signals.some(({ aborted }) => aborted)) close();
    },
    cancel: () => end(),
  });
  return new Response(body, { headers: { 'content-type': 'application/x-ndjson' } });
}
