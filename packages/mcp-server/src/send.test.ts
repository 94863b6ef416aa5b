import { setTimeout as delay } from 'node:timers/promises';
import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import { afterEach, expect, test } from 'vitest';
import { sendInTime, sendText, whenOver } from './send.ts';

const open: { close(): void }[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.close();
});

const message = '{"jsonrpc":"2.0","id":1,"result":{"text":"çà\\n"}}';

/** A server whose protocol layer answers with what it is given. */
async function serve(
  answer: (request: Request) => Promise<Response>,
  timing: { patienceMs: number; keepAliveMs: number },
): Promise<string> {
  const server = createAdaptorServer({
    fetch: (request, bindings) => sendInTime((bindings as HttpBindings).outgoing, answer(request), timing),
    overrideGlobalObjects: false,
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(server);
  return `http://127.0.0.1:${(server.address() as { port: number }).port}/`;
}

const json = () => new Response(message, { headers: { 'Content-Type': 'application/json' } });

test('what is answered soon is one JSON body with its length', async () => {
  const url = await serve(async () => json(), { patienceMs: 60_000, keepAliveMs: 60_000 });
  const response = await fetch(url, { method: 'POST' });
  expect(response.headers.get('content-type')).toBe('application/json');
  expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(message)));
  expect(await response.text()).toBe(message);
});

test('an error keeps its status', async () => {
  const refuse = async () => Response.json({ error: {} }, { status: 400 });
  const response = await fetch(await serve(refuse, { patienceMs: 60_000, keepAliveMs: 60_000 }));
  expect([response.status, await response.text()]).toEqual([400, '{"error":{}}']);
});

test('what takes longer sends its head, then comments, then the message as an event', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>();
  const response = await fetch(await serve(() => promise, { patienceMs: 1, keepAliveMs: 5 }));
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  let text = '';
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (text.includes(': keepalive\n\n')) resolve(json());
  }
  expect(text).toMatch(/^: running\n\n(: keepalive\n\n)+event: message\ndata: [^\n]+\n\n$/);
  expect(text).toContain(`data: ${message}\n`);
});

test('a stream that begins late goes on behind the comments', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>();
  const response = await fetch(await serve(() => promise, { patienceMs: 1, keepAliveMs: 60_000 }));
  resolve(new Response('event: message\ndata: {}\n\n', { headers: { 'Content-Type': 'text/event-stream' } }));
  expect(await response.text()).toBe(': running\n\nevent: message\ndata: {}\n\n');
});

test('a client that goes away while it waits ends its request, and nothing fails', async () => {
  const gone = Promise.withResolvers<void>();
  const url = await serve(
    async ({ signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      gone.resolve();
      return new Response(null, { status: 499 });
    },
    { patienceMs: 1, keepAliveMs: 1 },
  );
  const client = new AbortController();
  await fetch(url, { method: 'POST', signal: client.signal });
  client.abort();
  await gone.promise;
  await delay(20);
});

test('what waits for the end of an answer hears of it, before and after', async () => {
  const heard: string[] = [];
  const over = Promise.withResolvers<void>();
  const server = createAdaptorServer({
    fetch: (_, bindings) => {
      const { outgoing } = bindings as HttpBindings;
      whenOver(outgoing, () => {
        heard.push('at the end');
        whenOver(outgoing, () => heard.push('after it'));
        over.resolve();
      });
      heard.push('sending');
      return sendText(outgoing, { status: 200, headers: {}, text: 'x' });
    },
    overrideGlobalObjects: false,
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(server);
  await (await fetch(`http://127.0.0.1:${(server.address() as { port: number }).port}/`)).text();
  await over.promise;
  expect(heard).toEqual(['sending', 'at the end', 'after it']);
});
