import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { browseBody, exportBody, openTestListener, settingsPath } from './test-listener.ts';

let ui: Awaited<ReturnType<typeof openTestListener>>;
beforeEach(async () => {
  ui = await openTestListener();
});
afterEach(() => ui.close());

describe('admission', () => {
  test('a link gives a key, once, and no cookie', async () => {
    const proof = ui.proof();
    const answer = await ui.tryEntry(proof);
    expect([answer.status, JSON.parse(answer.text)]).toEqual([
      200,
      { key: expect.stringMatching(/^[\w-]{43}$/) },
    ]);
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect((await ui.tryEntry(proof)).status).toBe(401);
  });

  test('a code gives a key, once, also after many wrong codes of another user of the machine', async () => {
    const code = ui.code();
    for (let tries = 0; tries < 200; tries += 1) expect((await ui.tryEntry('WRONG')).status).toBe(401);
    expect((await ui.tryEntry(code)).status).toBe(200);
    expect((await ui.tryEntry(code)).status).toBe(401);
  });

  test.each(['', 'guess', '__proto__', 'x'.repeat(43)])('refuses %j', async (proof) => {
    expect((await ui.tryEntry(proof)).status).toBe(401);
  });

  test.each(['', '[]', '{"proof":1}', 'null', '{"proof":"x","more":1}'])(
    'refuses the body %j',
    async (body) => {
      const answer = await ui.ask('/enter', { method: 'POST', headers: { origin: ui.origin() }, body });
      expect(answer.status).toBe(401);
    },
  );

  test.each([
    ['another page', { origin: 'http://evil.example' }],
    ['another port', { origin: 'http://127.0.0.1:3000' }],
    ['a cross-site fetch', { 'sec-fetch-site': 'cross-site' }],
  ])('is closed to %s, and the link stays valid', async (_from, headers) => {
    const proof = ui.proof();
    expect((await ui.tryEntry(proof, headers)).status).toBe(403);
    expect((await ui.tryEntry(proof)).status).toBe(200);
  });
});

describe('without the key', () => {
  test.each(['/', '/assets/index-1a2b.js', '/waiting'])('%s is public', async (path) => {
    expect((await ui.ask(path)).status).toBe(200);
  });

  test.each([
    settingsPath,
    '/data/browse',
    '/data/activity.csv',
    '/data/export/x/progress',
    '/events',
    '/api',
    '/data',
  ])('%s is closed', async (path) => {
    expect((await ui.ask(path)).status).toBe(401);
  });

  test('the key counts only in its own header, and a forged key opens nothing', async () => {
    const { 'x-trestle-key': key } = await ui.enter();
    for (const headers of [
      { cookie: `trestle=${key}; x-trestle-key=${key}` },
      { authorization: `Bearer ${key}` },
      { 'x-trestle-key': '' },
      { 'x-trestle-key': `${key}x` },
      { 'x-trestle-key': key.toLowerCase() },
      { 'x-trestle-key': ui.proof() },
    ]) {
      expect((await ui.ask(settingsPath, { headers })).status).toBe(401);
    }
    expect((await ui.ask(`${settingsPath}?x-trestle-key=${key}`)).status).toBe(401);
  });

  test('a key ends with the app, and with "End all windows"', async () => {
    const headers = await ui.enter();
    expect((await ui.ask(settingsPath, { headers })).status).toBe(200);
    ui.endWindows();
    expect((await ui.ask(settingsPath, { headers })).status).toBe(401);
    const again = await ui.enter();
    await ui.restart();
    expect(
      (await ui.ask(settingsPath, { headers: { 'x-trestle-key': again['x-trestle-key'] } })).status,
    ).toBe(401);
  });
});

test('our own page may use the name localhost instead of 127.0.0.1', async () => {
  const host = `localhost:${new URL(ui.address()).port}`;
  const headers = {
    ...(await ui.enter()),
    host,
    origin: `http://${host}`,
    'sec-fetch-site': 'same-origin',
  };
  expect((await ui.ask(settingsPath, { headers })).status).toBe(200);
});

describe('another page', () => {
  test.each(['evil.example', 'evil.example:80', '127.0.0.1', '127.0.0.1.evil.example', '[::1]', '0.0.0.0'])(
    'that reaches this listener with the Host %s is refused',
    async (host) => {
      const own = await ui.enter();
      expect((await ui.ask('/', { headers: { host, ...own } })).status).toBe(421);
      expect((await ui.tryEntry(ui.proof(), { host })).status).toBe(421);
    },
  );

  test.each([
    ['a foreign origin', { origin: 'http://evil.example' }],
    ['another port of this machine', { origin: 'http://127.0.0.1:3000' }],
    ['an opaque origin', { origin: 'null' }],
    ['a cross-site fetch', { 'sec-fetch-site': 'cross-site' }],
    ['a same-site fetch, as from another port', { 'sec-fetch-site': 'same-site' }],
  ])('cannot reach the API from %s', async (_from, headers) => {
    const own = { ...(await ui.enter()), ...headers } as Record<string, string>;
    expect((await ui.ask(settingsPath, { headers: own })).status).toBe(403);
    expect((await ui.ask('/api/app.quit', { method: 'POST', headers: own })).status).toBe(403);
    expect((await ui.ask('/data/browse', { method: 'POST', headers: own, body: browseBody })).status).toBe(
      403,
    );
  });

  test('cannot post a form or send a DELETE without an origin', async () => {
    const { 'x-trestle-key': key } = await ui.enter();
    const form = { 'x-trestle-key': key, 'content-type': 'application/x-www-form-urlencoded' };
    expect((await ui.ask('/api/app.quit', { method: 'POST', headers: form, body: 'a=1' })).status).toBe(403);
    expect((await ui.ask('/', { method: 'DELETE', headers: form })).status).toBe(403);
  });
});

test.each(['/', '/enter', '/download/x', settingsPath, '/nowhere'])(
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

async function takeAllSeats(headers: Awaited<ReturnType<typeof ui.enter>>) {
  const streams = Array.from({ length: 128 }, () => ui.open('/events', { headers }));
  const leave = () => {
    for (const stream of streams) stream.destroy();
  };
  onTestFinished(leave);
  await Promise.all(
    streams.map((stream) => new Promise((resolve) => stream.once('response', resolve).end())),
  );
  return leave;
}

test('a download takes a seat too, and its path stays valid while no seat is free', async () => {
  const headers = await ui.enter();
  const asked = await ui.ask('/data/export', { method: 'POST', headers, body: exportBody });
  const path = JSON.parse(asked.text).file;
  const leave = await takeAllSeats(headers);
  expect((await ui.ask(path)).status).toBe(503);
  expect((await ui.ask('/download/x')).status).toBe(404);
  leave();
  await expect.poll(async () => (await ui.ask(path)).status).toBe(200);
});

test('a window that gets no seat is told why, and what to do', async () => {
  const headers = await ui.enter();
  await takeAllSeats(headers);
  const { status, text } = await ui.ask(settingsPath, { headers });
  const refusal = {
    code: 'rate_limited',
    message: 'Too many windows have running requests',
    hint: 'Wait a moment, then try again.',
  };
  expect([status, JSON.parse(text)]).toEqual([503, { error: refusal }]);
});
