import type { WindowEvent } from '@trestle/desktop/router';
import { afterEach, expect, test, vi } from 'vitest';
import { readEvents } from './event-stream.ts';

afterEach(() => vi.unstubAllGlobals());

/** Sends the app's answer in these pieces and returns the events that the page received. */
async function hear(pieces: string[], status = 200) {
  vi.stubGlobal('localStorage', { getItem: () => 'k' });
  const sent = vi.fn(async () => new Response(new Blob(pieces).stream(), { status }));
  vi.stubGlobal('fetch', sent);
  const heard: (WindowEvent | 'open')[] = [];
  const end = await readEvents({
    onOpen: () => heard.push('open'),
    onEvent: (event) => heard.push(event),
    signal: new AbortController().signal,
  });
  return { heard, end, sent };
}

test('events arrive whole for any split of the bytes', async () => {
  const { heard, end, sent } = await hear([
    '\n{"type":"tokens',
    'Changed"}\n{"type":"approvalsChanged"',
    '}\n',
  ]);
  expect(heard).toEqual(['open', { type: 'tokensChanged' }, { type: 'approvalsChanged' }]);
  expect(end).toBe(200);
  expect(sent).toHaveBeenCalledWith(
    '/events',
    expect.objectContaining({ headers: { 'x-trestle-key': 'k' } }),
  );
});

test('a refusal opens nothing', async () => {
  expect(await hear(['{}'], 401)).toMatchObject({ heard: [], end: 401 });
});
