import type { Core, CoreEvent } from '@trestle/core';
import type { TableToOpen } from '../table-opener.ts';
import type { AppInfo } from './app-info.ts';
import type { Pages } from './pages.ts';

/** The events for pages: the events of the core, and requests of clients to show a table. */
export type WindowEvent =
  | CoreEvent
  | ({ type: 'openTable' } & TableToOpen)
  /** The page did not read for so long that events were dropped. It must read all its data again. */
  | { type: 'eventsMissed' };

/** Events that a page has not read. A frozen page must not fill the memory of the app. */
const mostWaiting = 1000;

/**
 * `GET /events`: one line of JSON per event. The page reads the lines with fetch, since an EventSource cannot send the
 * header with the key. All events share one stream, because a browser opens only a few connections per host. Events
 * that arrive before the page reads wait: of equal events only the last one.
 */
export function eventStream(
  {
    core,
    app,
    pages,
  }: { core: Pick<Core, 'events'>; app: Pick<AppInfo, 'onOpenTable' | 'pageOpened'>; pages: Pages },
  page: string,
  signals: AbortSignal[],
): Response {
  const encoder = new TextEncoder();
  // The empty line starts the body before the first event. The page ignores empty lines.
  const waiting = new Set(['']);
  let wake = () => {};
  const send = (event: WindowEvent) => {
    const line = JSON.stringify(event);
    waiting.delete(line);
    if (waiting.size >= mostWaiting) {
      waiting.clear();
      waiting.add(JSON.stringify({ type: 'eventsMissed' } satisfies WindowEvent));
    }
    waiting.add(line);
    wake();
  };
  const closers = [
    core.events.on(send),
    app.onOpenTable((table) => send({ type: 'openTable', ...table })),
    app.pageOpened(),
    pages.add(page),
  ];
  const end = () => {
    for (const closer of closers.splice(0)) closer();
    wake();
  };
  // The signal of the window outlives the page. So the stream removes its abort listeners when the stream ends.
  for (const signal of signals) {
    signal.addEventListener('abort', end, { once: true });
    closers.push(() => signal.removeEventListener('abort', end));
  }
  if (signals.some(({ aborted }) => aborted)) end();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        while (waiting.size === 0 && closers.length > 0)
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        if (closers.length === 0) return controller.close();
        const lines = Array.from(waiting, (line) => `${line}\n`).join('');
        waiting.clear();
        controller.enqueue(encoder.encode(lines));
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { headers: { 'content-type': 'application/x-ndjson' } });
}
