import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestListener, settingsPath } from './test-listener.ts';

let ui: Awaited<ReturnType<typeof openTestListener>>;
beforeAll(async () => {
  ui = await openTestListener();
});
afterAll(() => ui.close());

/** Whether an answer has leaked the settings, which contain `theme`. */
const told = (body: string) => /"theme"|"dark"/.test(body);

describe('without a key, another spelling of a closed path', () => {
  test.each([
    '//api/settings.get',
    '///api/settings.get',
    '/./api/settings.get',
    '/x/../api/settings.get',
    '/assets/../api/settings.get',
    '/enter/../api/settings.get',
    '/%61pi/settings.get',
    '/api%2fsettings.get',
    '/api/%73ettings.get',
    '/api/settings%2eget',
    '/API/settings.get',
    '/api;x=1/settings.get',
    '/api/settings.get;x=1',
    '/api\\settings.get',
    '/api/settings.get/',
    '/api/settings.get%00',
    '/api/settings.get?batch=1&input={}',
    '/api/settings.get,settings.get?batch=1',
    '/api/settings.get#x',
    '/waiting/../api/settings.get',
    '/download/../api/settings.get',
    '/download/%2e%2e/api/settings.get',
    'http://127.0.0.1/api/settings.get',
    'http://evil.example/api/settings.get',
  ])('%s does not reveal the settings', async (path) => {
    const answer = await ui.ask(path);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(told(answer.text)).toBe(false);
  });
});

describe('without a key, another method', () => {
  test.each(['HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'QUERY'])(
    '%s does not reveal the settings',
    async (method) => {
      const { status, headers, text: body } = await ui.ask(settingsPath, { method });
      expect(status).toBeGreaterThanOrEqual(400);
      expect([told(body), headers['access-control-allow-origin'], headers.allow]).toEqual([
        false,
        undefined,
        undefined,
      ]);
    },
  );

  test.each(['x-http-method-override', 'x-method-override', 'x-http-method'])(
    'a POST with a %s header is refused',
    async (name) => {
      const { origin } = await ui.enter();
      const answer = await ui.ask(settingsPath, { method: 'POST', headers: { origin, [name]: 'GET' } });
      expect([answer.status, told(answer.text)]).toEqual([401, false]);
    },
  );
});

describe('headers', () => {
  test.each([
    ['x-forwarded-for', '127.0.0.1'],
    ['x-forwarded-host', 'evil.example'],
    ['x-original-url', '/'],
    ['x-rewrite-url', '/'],
    ['x-forwarded-prefix', '/'],
    ['forwarded', 'for=127.0.0.1;host=localhost'],
    ['x-real-ip', '127.0.0.1'],
    ['x-trestle-window', '1'],
    ['x-trestle-key', 'undefined'],
    ['x-trestle-key', 'null'],
    ['x-trestle-key', '[object Object]'],
    ['x-trestle-key', '__proto__'],
    ['x-trestle-key', 'constructor'],
    ['upgrade', 'websocket'],
    ['upgrade', 'h2c'],
    ['expect', '100-continue'],
    ['range', 'bytes=0-1'],
    ['if-none-match', '*'],
  ])('without a right key, %s: %s opens nothing', async (name, value) => {
    const answer = await ui.ask(settingsPath, { headers: { [name]: value } });
    expect([answer.status, told(answer.text)]).toEqual([401, false]);
  });

  test('two keys, of which one is right, open nothing', async () => {
    const own = await ui.enter();
    const key = own['x-trestle-key'];
    const both = await raw(
      `GET ${settingsPath} HTTP/1.1\r\nHost: HOST\r\nx-trestle-key: wrong\r\nx-trestle-key: ${key}\r\nConnection: close\r\n\r\n`,
    );
    expect([both.startsWith('HTTP/1.1 401'), told(both)]).toEqual([true, false]);
  });
});

describe('bytes that two parsers could read as different requests', () => {
  test.each([
    ['two lengths', 'Content-Length: 4\r\nContent-Length: 40\r\n\r\nGET '],
    ['length and chunks', 'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /'],
    ['an unknown transfer encoding', 'Transfer-Encoding: xchunked\r\nContent-Length: 4\r\n\r\nGET '],
    ['a signed length', 'Content-Length: +4\r\n\r\nGET '],
    ['a folded header', 'X-A: b\r\n x-trestle-key: c\r\n\r\n'],
    ['a bare line feed', 'X-A: b\nx-trestle-key: c\r\n\r\n'],
    ['a blank before the colon', 'x-trestle-key : c\r\n\r\n'],
    ['a NUL in a header', 'X-A: b\0c\r\n\r\n'],
    ['a chunk whose size is not a number', 'Transfer-Encoding: chunked\r\n\r\nzz\r\nGET \r\n0\r\n\r\n'],
    ['a second Host', 'Host: evil.example\r\n\r\n'],
  ])('%s: the request is refused, and nothing after it is answered', async (_, rest) => {
    const { origin } = await ui.enter();
    const answer = await raw(`POST /enter HTTP/1.1\r\nHost: HOST\r\nOrigin: ${origin}\r\n${rest}`);
    const statuses = [...answer.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map((match) => Number(match[1]));
    expect(statuses).toEqual([expect.toSatisfy((status) => status >= 400)]);
    expect(answer).not.toMatch(/"key"/);
  });

  test('an HTTP/1.0 request without a Host is refused', async () => {
    const answer = await raw(`GET ${settingsPath} HTTP/1.0\r\n\r\n`);
    expect([/^HTTP\/1\.1 (4\d\d)/.test(answer), told(answer)]).toEqual([true, false]);
  });
});

describe('with a key', () => {
  test.each([
    '__proto__',
    'constructor',
    'constructor.constructor',
    'settings.__proto__',
    'settings.get.call',
    'settings.get._def',
    '_def.procedures',
    'toString',
    'settings..get',
    '.',
    '%2e%2e/settings.get',
    '__proto__,constructor?batch=1',
  ])('the missing procedure %s is refused without a stack trace', async (name) => {
    const answer = await ui.ask(`/api/${name}`, { headers: await ui.enter() });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.text).not.toMatch(/at .*\.(ts|js):\d+/);
  });

  test.each([
    '{"__proto__":{"x":1}}',
    '{"constructor":{"prototype":{"x":1}}}',
    '[]',
    '"x"',
    '1e999',
    '{',
    '\u0000',
  ])('the input %j neither changes Object.prototype nor stops the API', async (input) => {
    const headers = await ui.enter();
    await ui.ask(`${settingsPath}?input=${encodeURIComponent(input)}`, { headers });
    expect(({} as { x?: number }).x).toBeUndefined();
    expect((await ui.ask(settingsPath, { headers })).status).toBe(200);
  });
});

describe('an answer', () => {
  test.each(['/', '/waiting', '/nowhere', settingsPath, '/enter', '/download/x', '/assets/index-1a2b.js'])(
    'of %s has the protective headers and sets no cookie',
    async (path) => {
      const { headers } = await ui.ask(path);
      expect(headers['content-security-policy']).toMatch(/default-src 'self'.*frame-ancestors 'none'/);
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['access-control-allow-origin']).toBeUndefined();
      expect(headers['set-cookie']).toBeUndefined();
      expect(headers['referrer-policy']).toBeDefined();
    },
  );
});

/** Sends `bytes`, with the listener's own host in place of HOST. Returns the whole answer. */
async function raw(bytes: string): Promise<string> {
  const { host, hostname, port } = new URL(ui.address());
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  socket.end(bytes.replace('HOST', host));
  return text(socket);
}
