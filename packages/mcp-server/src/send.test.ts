import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay, setImmediate } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { answer, readAnswer, sendInTime, whenOver } from './send.ts';

const open: { close(): void }[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.close();
});

const message = '{"jsonrpc":"2.0","id":1,"result":{"text":"çà\\n"}}';

/** Starts a server that sends the answer of `respond`. Returns its address. */
async function serve(
  respond: (signal: AbortSignal) => Promise<Response>,
  timing: { patienceMs: number; keepAliveMs: number },
): Promise<string> {
  return listen((_, outgoing) => {
    const gone = new AbortController();
    whenOver(outgoing, () => gone.abort());
    void sendInTime(outgoing, respond(gone.signal).then(readAnswer), timing);
  });
}

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(server);
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const json = () => new Response(message, { headers: { 'Content-Type': 'application/json' } });

test('a quick answer is one JSON body with its length', async () => {
  const url = await serve(async () => json(), { patienceMs: 60_000, keepAliveMs: 60_000 });
  const response = await fetch(url, { method: 'POST' });
  expect(response.headers.get('content-type')).toBe('application/json');
  expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(message)));
  expect(await response.text()).toBe(message);
});

test('a quick error keeps its status', async () => {
  const refuse = async () => Response.json({ error: {} }, { status: 400 });
  const response = await fetch(await serve(refuse, { patienceMs: 60_000, keepAliveMs: 60_000 }));
  expect([response.status, await response.text()]).toEqual([400, '{"error":{}}']);
});

test('a slow answer sends its head, then comments, then the message as an event', async () => {
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

test('the events of a late stream follow the comments', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>();
  const response = await fetch(await serve(() => promise, { patienceMs: 1, keepAliveMs: 60_000 }));
  resolve(new Response('event: message\ndata: {}\n\n', { headers: { 'Content-Type': 'text/event-stream' } }));
  expect(await response.text()).toBe(': running\n\nevent: message\ndata: {}\n\n');
});

test('the socket is closed after a stream if the client asks for it', async () => {
  // The SDK sends these headers.
  const headers = { 'Content-Type': 'text/event-stream', Connection: 'keep-alive' };
  const url = await listen((_, outgoing) => void answer(outgoing, new Response('data: {}\n\n', { headers })));
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write('POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  expect(await text(socket)).toMatch(/^connection: close\r$/im);
});

test('a client that goes away while it waits ends its request without an unhandled error', async () => {
  const gone = Promise.withResolvers<void>();
  const url = await serve(
    async (signal) => {
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

test('`whenOver` calls back when an answer ends, or at once if the answer has ended', async () => {
  const heard: string[] = [];
  const over = Promise.withResolvers<void>();
  const url = await listen((_, outgoing) => {
    whenOver(outgoing, () => {
      heard.push('at the end');
      whenOver(outgoing, () => heard.push('after it'));
      over.resolve();
    });
    heard.push('sending');
    void answer(outgoing, json());
  });
  await (await fetch(url)).text();
  await over.promise;
  expect(heard).toEqual(['sending', 'at the end', 'after it']);
});

test('a 204 answer has no content length, and an empty 202 has length 0', async () => {
  for (const [status, length] of [
    [204, null],
    [202, '0'],
  ] as const) {
    const url = await listen((_, outgoing) => void answer(outgoing, new Response(null, { status })));
    const response = await fetch(url);
    expect([response.status, response.headers.get('content-length')]).toEqual([status, length]);
    expect(response.headers.get('transfer-encoding')).toBe(null);
  }
});

test('an answer that has ended is delivered whole, even if the client reads it late', async () => {
  const ended = Promise.withResolvers<void>();
  const url = await listen((_, outgoing) => {
    const part = new TextEncoder().encode(`: ${'x'.repeat(8_000)}\n\n`);
    const body = new ReadableStream({
      async pull(controller) {
        controller.enqueue(part);
        await setImmediate();
        if (outgoing.writableLength > 0) await delay(20);
        // The client does not read, and the kernel takes no more data.
        if (outgoing.writableLength > 0) controller.close();
      },
    });
    const headers = { 'Content-Type': 'text/event-stream' };
    const late = delay(10).then(() => new Response(body, { headers }));
    outgoing.once('prefinish', ended.resolve);
    sendInTime(outgoing, late, { patienceMs: 1, keepAliveMs: 5 }).catch(ended.reject);
  });
  const socket = connect(Number(new URL(url).port), '127.0.0.1').pause();
  socket.write('POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  await ended.promise;
  await delay(30);
  expect(await text(socket)).toMatch(/\n0\r\n\r\n$/);
});
