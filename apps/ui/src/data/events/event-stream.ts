import type { WindowEvent } from '@trestle/desktop/router';
import { appFetch } from '../api/window-key.ts';

/** Names this page for the app, which ends the page's jobs when its event stream ends. */
export const pageId = crypto.randomUUID();

/**
 * Reads the app's event stream to its end, then resolves with the HTTP status. If the app refuses the request, resolves
 * with the status of the refusal. Rejects if the app does not answer or the stream breaks.
 */
export async function readEvents(options: {
  onOpen(): void;
  onEvent(event: WindowEvent): void;
  signal: AbortSignal;
}): Promise<number> {
  const answer = await appFetch(`/events?page=${pageId}`, { signal: options.signal });
  if (!answer.ok || !answer.body) return answer.status;
  options.onOpen();
  let rest = '';
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return answer.status;
    const lines = (rest + value).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') options.onEvent(JSON.parse(line) as WindowEvent);
  }
}
