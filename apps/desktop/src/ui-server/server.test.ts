import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { type ClientRequest, type IncomingMessage, Server } from 'node:http';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { browseBody, openTestListener, settingsPath } from './test-listener.ts';

let ui: Awaited<ReturnType<typeof openTestListener>>;
beforeEach(async () => {
  ui = await openTestListener();
});
afterEach(() => ui.close());

test('the listener leaves the imports of another data directory alone', async () => {
  const home = mkdtempSync(join(tmpdir(), 'trestle-home-'));
  vi.stubEnv('TRESTLE_HOME', home);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(home, { recursive: true });
  });
  mkdirSync(join(home, 'imports'));
  writeFileSync(join(home, 'imports', 'kept'), 'rows');
  await ui.restart();
  expect(readdirSync(join(home, 'imports'))).toEqual(['kept']);
});

describe('files', () => {
  test.each([
    '/../outside.txt',
    '/assets/../../outside.txt',
    '/..%2foutside.txt',
    '/%2e%2e/outside.txt',
    '/assets/..%2f..%2foutside.txt',
    '/..\\outside.txt',
    '//etc/passwd',
    '/%00',
  ])('%s gives no file', async (path) => {
    const answer = await ui.ask(path, { headers: await ui.enter() });
    expect([400, 404]).toContain(answer.status);
    expect(answer.text).not.toContain('not for the window');
  });

  test('hashed assets are cached, the page is not', async () => {
    const headers = await ui.enter();
    const asset = await ui.ask('/assets/index-1a2b.js', { headers });
    expect(asset.headers['cache-control']).toBe('private, max-age=31536000, immutable');
    expect(asset.headers['content-type']).toMatch('javascript');
    expect((await ui.ask('/', { headers })).headers['cache-control']).toBe('no-store');
    expect((await ui.ask('/assets/gone.js', { headers })).headers['cache-control']).toBe('no-store');
  });
});

describe('the API', () => {
  const own = () => ui.enter();

  test('answers', async () => {
    const answer = await ui.ask(settingsPath, { headers: await own() });
    expect([answer.status, JSON.parse(answer.text)]).toEqual([200, { result: { data: { theme: 'dark' } } }]);
  });

  test('a request that the window cancels is cancelled in the core', async () => {
    const sent = ui.open('/data/browse', { method: 'POST', headers: await own() });
    sent.on('error', () => {});
    sent.end(browseBody);
    const { signal } = await ui.browsing;
    expect(signal.aborted).toBe(false);
    const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve));
    sent.destroy();
    await aborted;
  });

  test('events stream to the page, and the stream ends when the page closes', async () => {
    const sent = ui.open('/events', { headers: await own() });
    const answer = await responseTo(sent.end());
    let text = '';
    for await (const chunk of answer) {
      text += chunk;
      if (text === '\n' && ui.pages.size === 1 && ui.listeners.size === 1) {
        for (const listener of ui.listeners) listener({ type: 'tokensChanged' });
      }
      if (text.includes('tokensChanged')) break;
    }
    sent.destroy();
    await expect.poll(() => [ui.pages.size, ui.listeners.size]).toEqual([0, 0]);
  });

  test('the stream of events ends when the window’s key ends', async () => {
    const answer = await responseTo(ui.open('/events', { headers: await own() }).end());
    ui.endWindows();
    for await (const _ of answer);
    expect([ui.pages.size, ui.listeners.size]).toEqual([0, 0]);
  });

  test('refuses a body that is too large', async () => {
    const headers = { ...(await own()), 'content-length': String(65 * 1024 * 1024) };
    const sent = ui.open('/data/browse', { method: 'POST', headers });
    sent.on('error', () => {});
    sent.flushHeaders();
    expect((await responseTo(sent)).statusCode).toBe(413);
    sent.destroy();
  });

  test('refuses a body without a declared length once it is too large', async () => {
    const sent = ui.open('/api/settings.update', { method: 'POST', headers: await own() });
    sent.on('error', () => {});
    const piece = Buffer.alloc(1024 * 1024);
    for (let count = 0; count < 17; count++) sent.write(piece);
    expect((await responseTo(sent)).statusCode).toBe(413);
    sent.destroy();
  });

  test('accepts a body in pieces, and notices when the window cancels the request', async () => {
    const sent = ui.open('/data/browse', { method: 'POST', headers: await own() });
    sent.on('error', () => {});
    sent.write(browseBody.subarray(0, 10));
    sent.end(browseBody.subarray(10));
    const { connectionId, signal } = await ui.browsing;
    expect(connectionId).toBe('c1');
    const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve));
    sent.destroy();
    await aborted;
  });

  test.each([undefined, 'a body'])('a DELETE is answered (body: %j)', async (body) => {
    const headers = { ...(await own()), ...(body && { 'transfer-encoding': 'chunked' }) };
    const answer = await ui.ask('/data/export/none', { method: 'DELETE', headers, ...(body && { body }) });
    expect(answer.status).toBe(404);
  });
});

test('an upload has no time limit', async () => {
  const listen = vi.spyOn(Server.prototype, 'listen');
  onTestFinished(() => listen.mockRestore());
  await ui.restart();
  expect(listen.mock.contexts[0]).toMatchObject({ requestTimeout: 0, headersTimeout: 60_000 });
});

describe('an attacker who holds many sockets open', () => {
  test('blocks no window', async () => {
    // This test is about the limit of open sockets. The listener also has a timer that closes a socket without a key.
    // That timer must not fire here. Fake timers do not help: `expect.poll` advances them. So each timer of a second or
    // longer gets the longest delay.
    const { setTimeout: start } = globalThis;
    vi.stubGlobal('setTimeout', (work: () => void, ms = 0) => start(work, ms < 1000 ? ms : 2 ** 31 - 1));
    onTestFinished(() => void vi.unstubAllGlobals());
    const headers = await ui.enter();
    const held = Array.from({ length: 600 }, () =>
      connect(Number(new URL(ui.address()).port), '127.0.0.1').on('error', () => {}),
    );
    onTestFinished(() => {
      for (const socket of held) socket.destroy();
    });
    expect((await ui.ask(settingsPath, { headers })).status).toBe(200);
    expect((await ui.tryEntry(ui.proof())).status).toBe(200);
    await expect.poll(() => held.filter(({ destroyed }) => !destroyed).length).toBeLessThanOrEqual(512);
    expect(held.at(-1)?.destroyed).toBe(false);
    expect((await ui.ask('/')).status).toBe(200);
  });
});

function responseTo(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve) => request.once('response', resolve));
}

test('if the port is taken, the listener uses another one', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as { port: number };
  await ui.restart(port);
  expect(new URL(ui.address()).port).not.toBe(String(port));
  expect((await ui.tryEntry(ui.proof())).status).toBe(200);
  other.close();
});
