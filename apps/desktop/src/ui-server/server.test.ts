import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Core, CoreEvent, DataAccess } from '@trestle/core';
import { packWire } from '@trestle/driver-kit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AppInfo } from '../api/app.ts';
import { serveUi, type UiServer } from './server.ts';

let folder: string;
let server: UiServer;
let browsing: PromiseWithResolvers<DataAccess>;
let listeners: Set<(event: CoreEvent) => void>;
let pages = 0;

const browseBody = packWire({
  connectionId: 'c1',
  request: { table: 't', filters: [], match: 'all', sort: [], limit: 1, offset: 0 },
});

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'trestle-ui-'));
  mkdirSync(join(folder, 'ui', 'assets'), { recursive: true });
  writeFileSync(join(folder, 'ui', 'index.html'), '<!doctype html><title>Trestle</title>');
  writeFileSync(join(folder, 'ui', 'assets', 'index-1a2b.js'), 'export {};');
  writeFileSync(join(folder, 'outside.txt'), 'not for the window');
  browsing = Promise.withResolvers();
  listeners = new Set();
  pages = 0;
  server = await start();
});

afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

/** The listener with a core that knows its settings and has one browse that never ends by itself. */
function start(port = 0): Promise<UiServer> {
  const core = {
    settings: { get: () => ({ theme: 'dark' }) },
    events: {
      on(listener: (event: CoreEvent) => void) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    data: {
      browse(access: DataAccess) {
        browsing.resolve(access);
        return new Promise((_, reject) =>
          access.signal.addEventListener('abort', () => reject(access.signal.reason)),
        );
      },
    },
  } as unknown as Core;
  const app: AppInfo = {
    version: '0.0.0',
    dataDirectory: folder,
    mcp: () => ({ state: 'disabled' }),
    quit: () => {},
    pageOpened() {
      pages += 1;
      return () => {
        pages -= 1;
      };
    },
    reportError: () => {},
  };
  return serveUi({ context: { core, app }, dataDirectory: folder, folder: join(folder, 'ui'), port });
}

interface Answer {
  status: number;
  headers: IncomingMessage['headers'];
  text: string;
}

/** Over node:http, since fetch refuses to send a Host, an Origin or a path with dots in it. */
function ask(path: string, options: AskOptions = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.address);
    const { method = 'GET', headers = {}, body } = options;
    const sent = httpRequest({ hostname, port, path, method, headers }, async (answer) => {
      const chunks: Buffer[] = [];
      for await (const chunk of answer) chunks.push(chunk as Buffer);
      resolve({
        status: answer.statusCode!,
        headers: answer.headers,
        text: Buffer.concat(chunks).toString('utf8'),
      });
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

interface AskOptions {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
}

function pathOf(link: string): string {
  return new URL(link).pathname + new URL(link).search;
}

/** Comes in by a link; gives the cookie as a browser sends it back. */
async function enter(): Promise<string> {
  const answer = await ask(pathOf(server.createLink()));
  return answer.headers['set-cookie']![0]!.split(';')[0]!;
}

const settingsPath = '/api/settings.get';

describe('the one-time link', () => {
  test('sets a strict cookie and leads to the page', async () => {
    const answer = await ask(pathOf(server.createLink()));
    expect([answer.status, answer.headers.location]).toEqual([303, '/']);
    expect(answer.headers['set-cookie']![0]).toMatch(
      /^trestle_[0-9a-f]{12}=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    const page = await ask('/', { headers: { cookie: await enter() } });
    expect([page.status, page.text]).toEqual([200, '<!doctype html><title>Trestle</title>']);
  });

  test('works once', async () => {
    const path = pathOf(server.createLink());
    expect((await ask(path)).status).toBe(303);
    const again = await ask(path);
    expect([again.status, again.headers['set-cookie']]).toEqual([401, undefined]);
  });

  test('is not used up by a look ahead', async () => {
    const path = pathOf(server.createLink());
    expect(
      (await ask(path, { method: 'HEAD', headers: { origin: server.address.slice(0, -1) } })).status,
    ).toBe(503);
    expect((await ask(path, { headers: { 'sec-purpose': 'prefetch;prerender' } })).status).toBe(503);
    expect((await ask(path)).status).toBe(303);
  });

  test.each(['/open', '/open?key=', '/open?key=guess', '/open?key=__proto__'])('refuses %s', async (path) => {
    expect((await ask(path)).status).toBe(401);
  });
});

describe('without the cookie', () => {
  test.each(['/', '/assets/index-1a2b.js', settingsPath, '/data/browse', '/nowhere'])(
    '%s is closed',
    async (path) => {
      const answer = await ask(path);
      expect(answer.status).toBe(401);
      expect(answer.text).toMatch(/run\s<code>trestle<\/code>|Open Trestle again from its launcher/);
    },
  );

  test('a forged cookie opens nothing', async () => {
    const [name, value] = (await enter()).split('=');
    for (const forged of ['', 'x', `${value}x`, value!.toLowerCase(), 'undefined', '1']) {
      expect((await ask('/', { headers: { cookie: `${name}=${forged}` } })).status).toBe(401);
    }
    expect((await ask('/', { headers: { cookie: `trestle_000000000000=${value}` } })).status).toBe(401);
  });

  test('a cookie outlives the app, which keeps only its digest, for its owner alone', async () => {
    const cookie = await enter();
    await server.close();
    server = await start();
    expect((await ask('/', { headers: { cookie } })).status).toBe(200);
    expect(statSync(join(folder, 'window-sessions.json')).mode & 0o777).toBe(0o600);
  });
});

describe('another page', () => {
  test.each(['evil.example', 'evil.example:80', '127.0.0.1', '127.0.0.1.evil.example', '[::1]', '0.0.0.0'])(
    'that rebinds its name %s to this address is refused',
    async (host) => {
      const cookie = await enter();
      expect((await ask('/', { headers: { host, cookie } })).status).toBe(421);
      expect((await ask(pathOf(server.createLink()), { headers: { host } })).status).toBe(421);
    },
  );

  test('may be served under the name localhost', async () => {
    const host = `localhost:${new URL(server.address).port}`;
    const cookie = await enter();
    const headers = { host, cookie, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' };
    expect((await ask(settingsPath, { headers })).status).toBe(200);
  });

  test.each([
    ['a foreign origin', { origin: 'http://evil.example' }],
    ['another port of this machine', { origin: 'http://127.0.0.1:3000' }],
    ['an opaque origin', { origin: 'null' }],
    ['a cross-site fetch', { 'sec-fetch-site': 'cross-site' }],
    ['a same-site fetch, which another port is', { 'sec-fetch-site': 'same-site' }],
  ])('cannot reach the API from %s', async (_from, headers) => {
    const cookie = await enter();
    const own = { cookie, ...headers } as Record<string, string>;
    expect((await ask(settingsPath, { headers: own })).status).toBe(403);
    expect((await ask('/api/app.quit', { method: 'POST', headers: own })).status).toBe(403);
    expect((await ask('/data/browse', { method: 'POST', headers: own, body: browseBody })).status).toBe(403);
  });

  test('cannot post a form, nor can anything that does not say where it comes from', async () => {
    const cookie = await enter();
    const form = { cookie, 'content-type': 'application/x-www-form-urlencoded' };
    expect((await ask('/api/app.quit', { method: 'POST', headers: form, body: 'a=1' })).status).toBe(403);
    expect((await ask('/', { method: 'DELETE', headers: form })).status).toBe(403);
  });
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
    '/window-sessions.json',
  ])('%s leads nowhere', async (path) => {
    const answer = await ask(path, { headers: { cookie: await enter() } });
    expect([400, 404]).toContain(answer.status);
    expect(answer.text).not.toContain('not for the window');
  });

  test('hashed assets are kept, the page is not', async () => {
    const headers = { cookie: await enter() };
    const asset = await ask('/assets/index-1a2b.js', { headers });
    expect(asset.headers['cache-control']).toBe('private, max-age=31536000, immutable');
    expect(asset.headers['content-type']).toMatch('javascript');
    expect((await ask('/', { headers })).headers['cache-control']).toBe('no-store');
    expect((await ask('/assets/gone.js', { headers })).headers['cache-control']).toBe('no-store');
  });
});

test.each(['/', '/open', settingsPath, '/nowhere'])(
  '%s answers with the protective headers',
  async (path) => {
    const { headers } = await ask(path);
    expect(headers['content-security-policy']).toMatch("default-src 'self'; script-src 'self';");
    expect(headers['content-security-policy']).toMatch("frame-ancestors 'none'");
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['referrer-policy']).toBe('no-referrer');
    expect(headers['cross-origin-resource-policy']).toBe('same-origin');
  },
);

describe('the API', () => {
  const own = async () => ({ cookie: await enter(), origin: server.address.slice(0, -1) });

  test('answers', async () => {
    const answer = await ask(settingsPath, { headers: await own() });
    expect([answer.status, JSON.parse(answer.text)]).toEqual([200, { result: { data: { theme: 'dark' } } }]);
  });

  test('a request given up by the window is given up below', async () => {
    const { hostname, port } = new URL(server.address);
    const sent = httpRequest({ hostname, port, path: '/data/browse', method: 'POST', headers: await own() });
    sent.on('error', () => {});
    sent.end(browseBody);
    const { signal } = await browsing.promise;
    expect(signal.aborted).toBe(false);
    const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve));
    sent.destroy();
    await aborted;
  });

  test('events stream to the page and end with it', async () => {
    const { hostname, port } = new URL(server.address);
    const headers = { ...(await own()), accept: 'text/event-stream' };
    const sent = httpRequest({ hostname, port, path: '/api/events.stream', headers });
    const answer = await new Promise<IncomingMessage>((resolve) => sent.once('response', resolve).end());
    let text = '';
    for await (const chunk of answer) {
      text += chunk;
      if (text.includes('connected') && pages === 1 && listeners.size === 1) {
        for (const listener of listeners) listener({ type: 'tokensChanged' });
      }
      if (text.includes('tokensChanged')) break;
    }
    sent.destroy();
    await expect.poll(() => [pages, listeners.size]).toEqual([0, 0]);
  });

  test('refuses a body that is too large', async () => {
    const headers = { ...(await own()), 'content-length': String(65 * 1024 * 1024) };
    const { hostname, port } = new URL(server.address);
    const sent = httpRequest({ hostname, port, path: '/data/browse', method: 'POST', headers });
    sent.on('error', () => {});
    sent.flushHeaders();
    const answer = await new Promise<IncomingMessage>((resolve) => sent.once('response', resolve));
    expect(answer.statusCode).toBe(413);
    sent.destroy();
  });
});

test('a taken port means another one', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as { port: number };
  await server.close();
  server = await start(port);
  expect(new URL(server.address).port).not.toBe(String(port));
  expect((await ask(pathOf(server.createLink()))).status).toBe(303);
  other.close();
});
