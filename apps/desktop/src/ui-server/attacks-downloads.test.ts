import type { OutgoingHttpHeaders } from 'node:http';
import { packWire } from '@trestle/driver-kit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { exportedText, openTestListener } from './test-listener.ts';

let ui: Awaited<ReturnType<typeof openTestListener>>;
let key: OutgoingHttpHeaders;
beforeAll(async () => {
  ui = await openTestListener();
});
afterAll(() => ui.close());
beforeEach(async () => {
  key = await ui.enter();
});

const asked = (table = 'planets') =>
  packWire({
    connectionId: 'c1',
    request: { table, filters: [], match: 'all', sort: [], columns: ['n'] },
    rows: { kind: 'all' },
    format: 'csv',
    escapeFormulas: true,
  });

/** The path of a file that the window requested. */
async function offered(table?: string): Promise<string> {
  const answer = await ui.ask('/data/export', { method: 'POST', headers: key, body: asked(table) });
  return JSON.parse(answer.text).file;
}

const told = (body: string) => body.includes(exportedText);

/** The attack got nothing, and the window still gets its file. */
async function expectUnharmed(path: string, answer: { status: number; text: string }): Promise<void> {
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(told(answer.text)).toBe(false);
  const own = await ui.ask(path, { headers: { 'sec-fetch-site': 'same-origin' } });
  expect([own.status, told(own.text)]).toEqual([200, true]);
}

describe('requesting a file', () => {
  test.each<[string, () => OutgoingHttpHeaders, string?]>([
    ['without a key', () => ({ origin: ui.origin() })],
    ['with a wrong key', () => ({ origin: ui.origin(), 'x-trestle-key': 'A'.repeat(43) })],
    [
      'with the key in a cookie',
      () => ({ origin: ui.origin(), cookie: `x-trestle-key=${key['x-trestle-key']}` }),
    ],
    [
      'with the key as a bearer token',
      () => ({ origin: ui.origin(), authorization: `Bearer ${key['x-trestle-key']}` }),
    ],
    ['with the right key, from another page', () => ({ ...key, origin: 'http://evil.example' })],
    ['from another port of this machine', () => ({ ...key, origin: 'http://127.0.0.1:1' })],
    ['from a page with an opaque origin', () => ({ ...key, origin: 'null' })],
    ['from another origin of the same site', () => ({ ...key, 'sec-fetch-site': 'same-site' })],
    ['without an origin', () => ({ 'x-trestle-key': key['x-trestle-key'] })],
    ['with another name in the Host header', () => ({ ...key, host: 'evil.example' })],
    ['with the key in the address', () => ({ origin: ui.origin() }), `?x-trestle-key=KEY`],
  ])('%s is refused', async (_, headers, query = '') => {
    const path = `/data/export${query.replace('KEY', String(key['x-trestle-key']))}`;
    const answer = await ui.ask(path, { method: 'POST', headers: headers(), body: asked() });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.text).not.toContain('/download/');
  });
});

describe('a wrong path', () => {
  test.each<[string, (path: string) => string]>([
    ['its last letter changed', (path) => path.slice(0, -1) + (path.endsWith('A') ? 'B' : 'A')],
    [
      'its first letter changed',
      (path) => path.replace(/download\/./, (text) => `download/${text.endsWith('A') ? 'B' : 'A'}`),
    ],
    ['its last letter missing', (path) => path.slice(0, -1)],
    ['an extra letter', (path) => `${path}A`],
    ['base64 padding', (path) => `${path}=`],
    ['letters in the other case', (path) => path.replace(/[^/]+$/, (ticket) => swapCase(ticket))],
    ['a zero byte', (path) => `${path}%00`],
    ['a blank', (path) => `${path}%20`],
    ['a dot', (path) => `${path}%2e`],
    ['a slash in front', (path) => path.replace('/download/', '/download/%2f')],
    ['a parameter', (path) => `${path};x=1`],
    ['the word download in capitals', (path) => path.replace('download', 'DOWNLOAD')],
    ['an extension', (path) => `${path}.csv`],
    ['a wildcard', () => '/download/*'],
    ['a path to a parent folder', () => '/download/..%2f..'],
    ['a property of Object.prototype', () => '/download/toString'],
    ['two paths in one', (path) => `${path},${path.replace('/download/', '')}`],
  ])('gives no file: %s', async (_, change) => {
    const path = await offered();
    await expectUnharmed(path, await ui.ask(change(path)));
  });

  test('a thousand guesses find no file and do not use up the path', async () => {
    const path = await offered();
    const guess = () =>
      ui.ask(`/download/${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url')}`);
    for (let round = 0; round < 20; round++) {
      const answers = await Promise.all(Array.from({ length: 50 }, guess));
      expect(answers.every(({ status, text }) => status === 404 && !told(text))).toBe(true);
    }
    expect(told((await ui.ask(path)).text)).toBe(true);
  });
});

describe('the right path with a wrong request', () => {
  test.each(['HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND'])(
    '%s neither gives the file nor uses the path up',
    async (method) => {
      const path = await offered();
      await expectUnharmed(path, await ui.ask(path, { method, headers: { origin: ui.origin() } }));
    },
  );

  test.each<[string, OutgoingHttpHeaders]>([
    ['a link on another page', { 'sec-fetch-site': 'cross-site' }],
    ['a page on another port', { 'sec-fetch-site': 'same-site' }],
    ['a script of another page', { origin: 'http://evil.example' }],
    ['a frame with an opaque origin', { origin: 'null' }],
    ['a foreign host name that resolves to this machine', { host: 'rebound.example' }],
    ['another port in the Host header', { host: '127.0.0.1:1' }],
    ['a browser that prefetches', { 'sec-purpose': 'prefetch' }],
    ['a browser that prerenders', { 'sec-purpose': 'prefetch;prerender' }],
  ])('gives no file and stays valid: %s', async (_, headers) => {
    const path = await offered();
    await expectUnharmed(path, await ui.ask(path, { headers }));
  });
});

describe('the right path, used once', () => {
  test('is no longer valid, not even for a part of the file', async () => {
    const path = await offered();
    expect(told((await ui.ask(path)).text)).toBe(true);
    for (const headers of [
      {},
      { range: 'bytes=0-' },
      { range: 'bytes=5-9' },
      { 'if-none-match': '*' },
      key,
    ]) {
      const again = await ui.ask(path, { headers });
      expect([again.status, told(again.text)]).toEqual([404, false]);
    }
  });

  test.each(['bytes=0-0', 'bytes=0-0,5-9', 'bytes=-5', 'bytes=99999999999-', 'items=1'])(
    'a request for the range %s uses the path up too',
    async (range) => {
      const path = await offered();
      expect((await ui.ask(path, { headers: { range } })).status).toBe(200);
      expect((await ui.ask(path)).status).toBe(404);
    },
  );

  test('of fifty requests at once, one gets the file', async () => {
    const path = await offered();
    const answers = await Promise.all(Array.from({ length: 50 }, () => ui.ask(path)));
    expect(answers.filter(({ text }) => told(text))).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(49);
  });

  test('a reader that hangs up has used the path up', async () => {
    const path = await offered();
    await new Promise<void>((done) => {
      const request = ui.open(path).once('response', (answer) => {
        answer.destroy();
        request.destroy();
        done();
      });
      request.on('error', () => {}).end();
    });
    expect((await ui.ask(path)).status).toBe(404);
  });

  test('the browser may not cache the file, guess its type or show it as a page', async () => {
    const { headers } = await ui.ask(await offered());
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'content-disposition': expect.stringMatching(/^attachment;/),
    });
    expect(headers['access-control-allow-origin']).toBeUndefined();
  });
});

test('after `endWindows`, a path is no longer valid', async () => {
  const path = await offered();
  ui.endWindows();
  const answer = await ui.ask(path);
  expect([answer.status, told(answer.text)]).toEqual([404, false]);
});

test.each([
  ['a header of its own', 'a\r\nset-cookie: x=1'],
  ['a second file name', 'a"; filename="evil.exe'],
  ['a path', '../../.ssh/authorized_keys'],
  ['a Windows path', 'C:\\Windows\\x'],
  ['half of a surrogate pair', 'a\ud800b'],
  ['a surrogate pair at the length limit', `${'x'.repeat(79)}${'𝒳'.repeat(4)}`],
  ['text that runs backwards', 'a\u202Egpj.exe'],
  ['a NUL', 'a\0b'],
])('a table name with %s becomes a plain file name', async (_, table) => {
  const answer = await ui.ask(await offered(table));
  expect([answer.status, told(answer.text)]).toEqual([200, true]);
  expect(answer.headers['set-cookie']).toBeUndefined();
  const disposition = String(answer.headers['content-disposition']);
  const name = decodeURIComponent(/^attachment; filename\*=UTF-8''([\w.%-]+)$/.exec(disposition)?.[1] ?? '/');
  expect(name).toMatch(/^[\p{L}\p{N}_.-]+\.csv$/u);
});

test.each(['हिन्दी', 'Cafe\u0301'])('the file of the table %s keeps its name', async (table) => {
  const { headers } = await ui.ask(await offered(table));
  expect(decodeURIComponent(String(headers['content-disposition']))).toContain(`${table}.csv`);
});

function swapCase(text: string): string {
  return text.replace(/[a-z]/gi, (letter) =>
    letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase(),
  );
}
