import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { browseBody, openTestListener, settingsPath } from './test-listener.ts';

let ui: Awaited<ReturnType<typeof openTestListener>>;
beforeEach(async () => {
  ui = await openTestListener();
});
afterEach(() => ui.close());

describe('the one-time link', () => {
  test('sets a strict cookie and leads to the page', async () => {
    const answer = await ui.ask(ui.linkPath());
    expect([answer.status, answer.headers.location]).toEqual([303, '/']);
    expect(answer.headers['set-cookie']![0]).toMatch(
      /^trestle_[0-9a-f]{12}=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    const page = await ui.ask('/', { headers: { cookie: await ui.enter() } });
    expect([page.status, page.text]).toEqual([200, '<!doctype html><title>Trestle</title>']);
  });

  test('works once', async () => {
    const path = ui.linkPath();
    expect((await ui.ask(path)).status).toBe(303);
    const again = await ui.ask(path);
    expect([again.status, again.headers['set-cookie']]).toEqual([401, undefined]);
  });

  test('is not used up by a look ahead', async () => {
    const path = ui.linkPath();
    expect((await ui.ask(path, { method: 'HEAD', headers: { origin: ui.origin() } })).status).toBe(503);
    expect((await ui.ask(path, { headers: { 'sec-purpose': 'prefetch;prerender' } })).status).toBe(503);
    expect((await ui.ask(path)).status).toBe(303);
  });

  test.each(['/open', '/open?key=', '/open?key=guess', '/open?key=__proto__'])('refuses %s', async (path) => {
    expect((await ui.ask(path)).status).toBe(401);
  });
});

describe('without the cookie', () => {
  test.each(['/', '/assets/index-1a2b.js', settingsPath, '/data/browse', '/nowhere'])(
    '%s is closed',
    async (path) => {
      const answer = await ui.ask(path);
      expect(answer.status).toBe(401);
      expect(answer.text).toMatch(/run\s<code>trestle<\/code>|Open Trestle again from its launcher/);
    },
  );

  test('a forged cookie opens nothing', async () => {
    const [name, value] = (await ui.enter()).split('=');
    for (const forged of ['', 'x', `${value}x`, value!.toLowerCase(), 'undefined', '1']) {
      expect((await ui.ask('/', { headers: { cookie: `${name}=${forged}` } })).status).toBe(401);
    }
    expect((await ui.ask('/', { headers: { cookie: `trestle_000000000000=${value}` } })).status).toBe(401);
  });

  test('a cookie outlives the app, which keeps only its digest, for its owner alone', async () => {
    const cookie = await ui.enter();
    await ui.restart();
    expect((await ui.ask('/', { headers: { cookie } })).status).toBe(200);
    expect(statSync(join(ui.folder, 'window-sessions.json')).mode & 0o777).toBe(0o600);
  });
});

describe('another page', () => {
  test.each(['evil.example', 'evil.example:80', '127.0.0.1', '127.0.0.1.evil.example', '[::1]', '0.0.0.0'])(
    'that rebinds its name %s to this address is refused',
    async (host) => {
      const cookie = await ui.enter();
      expect((await ui.ask('/', { headers: { host, cookie } })).status).toBe(421);
      expect((await ui.ask(ui.linkPath(), { headers: { host } })).status).toBe(421);
    },
  );

  test('is our own when it was opened under the name localhost', async () => {
    const host = `localhost:${new URL(ui.address()).port}`;
    const cookie = await ui.enter();
    const headers = { host, cookie, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' };
    expect((await ui.ask(settingsPath, { headers })).status).toBe(200);
  });

  test.each([
    ['a foreign origin', { origin: 'http://evil.example' }],
    ['another port of this machine', { origin: 'http://127.0.0.1:3000' }],
    ['an opaque origin', { origin: 'null' }],
    ['a cross-site fetch', { 'sec-fetch-site': 'cross-site' }],
    ['a same-site fetch, which another port is', { 'sec-fetch-site': 'same-site' }],
  ])('cannot reach the API from %s', async (_from, headers) => {
    const cookie = await ui.enter();
    const own = { cookie, ...headers } as Record<string, string>;
    expect((await ui.ask(settingsPath, { headers: own })).status).toBe(403);
    expect((await ui.ask('/api/app.quit', { method: 'POST', headers: own })).status).toBe(403);
    expect((await ui.ask('/data/browse', { method: 'POST', headers: own, body: browseBody })).status).toBe(
      403,
    );
  });

  test('cannot post a form, nor can anything that does not say where it comes from', async () => {
    const cookie = await ui.enter();
    const form = { cookie, 'content-type': 'application/x-www-form-urlencoded' };
    expect((await ui.ask('/api/app.quit', { method: 'POST', headers: form, body: 'a=1' })).status).toBe(403);
    expect((await ui.ask('/', { method: 'DELETE', headers: form })).status).toBe(403);
  });
});

test.each(['/', '/open', settingsPath, '/nowhere'])(
  '%s answers with the protective headers',
  async (path) => {
    const { headers } = await ui.ask(path);
    expect(headers['content-security-policy']).toMatch("default-src 'self'; script-src 'self';");
    expect(headers['content-security-policy']).toMatch("frame-ancestors 'none'");
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['referrer-policy']).toBe('no-referrer');
    expect(headers['cross-origin-resource-policy']).toBe('same-origin');
  },
);
