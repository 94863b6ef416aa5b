import type { WindowEvent } from '@trestle/desktop/router';
import { afterEach, expect, test, vi } from 'vitest';
import { readEvents } from './event-stream.ts';

afterEach(() => vi.unstubAllGlobals());

/** Sends the app's answer in the given pieces. Returns what the page received and sent. */
async function hear(pieces: Uint8Array<ArrayBuffer>[], status = 200) {
  vi.stubGlobal('localStorage', { getItem: () => 'k' });
  const sent = vi.fn(async () => new Response(streamOf(pieces), { status }));
  vi.stubGlobal('fetch', sent);
  const heard: (WindowEvent | 'open')[] = [];
  const end = await readEvents({
    onOpen: () => heard.push('open'),
    onEvent: (event) => heard.push(event),
    signal: new AbortController().signal,
  });
  return { heard, end, sent };
}

test('events arrive whole wherever the bytes are split in two', async () => {
  const events = [{ type: 'tokensChanged' }, { type: 'rowsChanged', connectionId: 'c', table: 'Möbel' }];
  const bytes = bytesOf(`\n${events.map((event) => `${JSON.stringify(event)}\n`).join('')}`);
  for (let at = 0; at <= bytes.length; at++) {
    const { heard, end, sent } = await hear([bytes.slice(0, at), bytes.slice(at)]);
    expect(heard).toEqual(['open', ...events]);
    expect(end).toBe(200);
    expect(sent).toHaveBeenCalledWith(
      expect.stringMatching(/^\/events\?page=[0-9a-f-]{36}$/),
      expect.objectContaining({ headers: { 'x-trestle-key': 'k' } }),
    );
  }
});

test('a refusal opens no stream and returns its status', async () => {
  expect(await hear([bytesOf('{}')], 401)).toMatchObject({ heard: [], end: 401 });
});

/** Each piece is its own chunk. A `Blob` would join them. */
function streamOf(pieces: Uint8Array<ArrayBuffer>[]): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}
