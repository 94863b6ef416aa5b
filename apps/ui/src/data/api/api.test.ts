import { afterEach, expect, test, vi } from 'vitest';
import { api, streamRows, toApiError } from './api.ts';

afterEach(() => vi.unstubAllGlobals());

/**
 * Stubs a browser that rejects a `keepalive` request if the bodies of all running `keepalive` requests would exceed
 * 64 KB. All other requests succeed, as if the app had stored a record.
 */
function stubBrowser() {
  vi.stubGlobal('localStorage', { getItem: () => 'k' });
  const sent: (boolean | undefined)[] = [];
  let running = 0;
  vi.stubGlobal('fetch', async (_url: string, { keepalive, body }: RequestInit) => {
    sent.push(keepalive);
    const { size } = new Blob([body as string]);
    if (keepalive && running + size > 64 * 1024) throw new TypeError('Failed to fetch');
    if (keepalive) running += size;
    await new Promise((resolve) => setTimeout(resolve));
    if (keepalive) running -= size;
    return Response.json({ result: { data: { written: true, version: 1 } } });
  });
  return sent;
}

const write = (value: string) => api.records.write.mutate({ key: 'tabs/1', version: 0, value });
const written = { written: true, version: 1 };

test('a record of few characters but many bytes is sent without keepalive', async () => {
  const sent = stubBrowser();
  expect(await write('short')).toEqual(written);
  expect(await write('漢'.repeat(30_000))).toEqual(written);
  expect(sent).toEqual([true, undefined]);
});

test('a write that the browser rejects while other writes are running is sent again without keepalive', async () => {
  const sent = stubBrowser();
  const both = await Promise.all([write('a'.repeat(40_000)), write('b'.repeat(40_000))]);
  expect(both).toEqual([written, written]);
  expect(sent).toEqual([true, true, undefined]);
});

test.each(['network error', 'Error in input stream', 'Error in body stream', 'Load failed'])(
  'an answer that breaks off with the error “%s” means that the app is unreachable',
  async (message) => {
    vi.stubGlobal('localStorage', { getItem: () => 'k' });
    const broken = new ReadableStream({ start: (controller) => controller.error(new TypeError(message)) });
    vi.stubGlobal('fetch', async () => new Response(broken));
    const rows = streamRows('c', {} as never, new AbortController().signal);
    const error = await rows.next().catch(toApiError);
    expect(error).toMatchObject({ code: 'app_unreachable' });
  },
);

test.each([
  [401, { code: 'not_admitted', message: 'Trestle does not know this window', hint: 'Open Trestle again.' }],
  [413, { code: 'invalid_argument', message: 'The request is larger than 1 MB' }],
])('an answer with status %d that is not from tRPC keeps its message', async (status, details) => {
  vi.stubGlobal('localStorage', { getItem: () => 'k' });
  vi.stubGlobal('fetch', async () => Response.json({ error: details }, { status }));
  expect(await api.settings.get.query().catch(toApiError)).toMatchObject(details);
});

test('an answer of another program on the port is reported with its status', async () => {
  vi.stubGlobal('localStorage', { getItem: () => 'k' });
  vi.stubGlobal('fetch', async () => new Response('<html>', { status: 502 }));
  expect(await api.settings.get.query().catch(toApiError)).toMatchObject({ message: 'Trestle answered 502' });
});
