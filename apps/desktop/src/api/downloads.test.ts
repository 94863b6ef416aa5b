import { expect, test } from 'vitest';
import { createDownloads } from './downloads.ts';

function offered() {
  let at = 0;
  const downloads = createDownloads(() => at);
  const path = downloads.offer(() => new Response('the file')).replace('/download', '');
  const get = async (headers: Record<string, string> = {}) => {
    const answer = await downloads.routes.request(path, { headers });
    return [answer.status, await answer.text()];
  };
  return {
    downloads,
    path,
    get,
    pass(ms: number) {
      at += ms;
    },
  };
}

test('a path returns its file once', async () => {
  const { get } = offered();
  expect(await get()).toEqual([200, 'the file']);
  expect((await get())[0]).toBe(404);
});

test('a path is no longer valid after a minute, or after all paths were cleared', async () => {
  const late = offered();
  late.pass(60_000);
  expect((await late.get())[0]).toBe(404);
  const ended = offered();
  ended.downloads.clear();
  expect((await ended.get())[0]).toBe(404);
});

test('a prefetch or a HEAD request does not use up the path', async () => {
  const { downloads, path, get } = offered();
  expect((await get({ 'sec-purpose': 'prefetch' }))[0]).toBe(503);
  expect((await downloads.routes.request(path, { method: 'HEAD' })).status).toBe(503);
  expect((await get())[0]).toBe(200);
});

test.each(['/', '/x', '/__proto__', '/constructor'])('the unknown path %s gives no file', async (path) => {
  expect((await offered().downloads.routes.request(path)).status).toBe(404);
});
