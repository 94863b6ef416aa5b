import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exceeds, type Session } from '@trestle/driver-kit';
import { directDial } from '@trestle/driver-kit/testing';
import {
  connectHealthPath,
  connectMethods,
  connectPath,
  fromJson,
  type JsonValue,
} from '@trestle/weaviate-connect';
import fc from 'fast-check';
import { parse, print } from 'graphql';
import { afterAll, beforeAll, expect } from 'vitest';
import { driver } from '../../drivers/weaviate/src/driver.ts';
import { effectOfRequest } from '../../drivers/weaviate/src/request-effect.ts';
import { type RestLine, readRestLine } from '../../drivers/weaviate/src/rest-line.ts';
import { readStrictJson } from '../../drivers/weaviate/src/strict-json.ts';
import { fuzz } from './fuzz.ts';
import { damage, damaged, expectOwnError, piecewise } from './texts.ts';

const call = { signal: new AbortController().signal };
const origin = 'http://weaviate.example:8080';

/** Many of these keys differ only in case. */
const key = fc.constantFrom(
  'match',
  'Match',
  'MATCH',
  'ſ',
  's',
  'K',
  'k',
  'ß',
  'ẞ',
  'ss',
  'İ',
  'i',
  'ı',
  'Σ',
  'ς',
  'a',
  '',
);
const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(null, true, 0, -0.5, 1e21, 'x', 'é', '\u2028', '"'),
    fc.string({ unit: 'binary', maxLength: 3 }),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.oneof(key, fc.constant('__proto__')), tie('value'), { maxKeys: 3 }),
  ),
})).value;
const body = fc.oneof(
  json.map((value) => JSON.stringify(value)),
  fc
    .tuple(json, fc.array(damage, { maxLength: 2 }))
    .map(([value, damages]) => damaged(Buffer.from(JSON.stringify(value)), damages).toString()),
  piecewise(
    [
      '{',
      '}',
      '[',
      ']',
      ':',
      ',',
      '"a"',
      '"A"',
      '1',
      '-0.5e3',
      'true',
      'null',
      ' ',
      '\n',
      '"\\u00e9"',
      '"',
      '\\',
    ],
    10,
  ),
);

fuzz({
  name: 'strict-json',
  holds: 'a body is refused, or parses like JSON and has no keys that differ only in case',
  short: 2000,
  inputs: body,
  property(text) {
    let read: ReturnType<typeof readStrictJson>;
    try {
      read = readStrictJson(text);
    } catch (error) {
      expectOwnError(error, 'DriverError');
      // These inputs are not deep, so valid JSON is refused only because of its keys.
      if (isJson(text)) expect((error as Error).message).toMatch(/ twice$|only in case/);
      return;
    }
    expect(read.value).toEqual(JSON.parse(text));
    expect(JSON.parse(read.text)).toEqual(read.value);
    expectDistinctKeys(read.value);
  },
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Go ignores the case of JSON keys. So do the flags `iu`, like Go's EqualFold: https://pkg.go.dev/strings#EqualFold */
function expectDistinctKeys(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const keys = Array.isArray(value) ? [] : Object.keys(value);
  for (const [index, one] of keys.entries()) {
    const same = new RegExp(`^${RegExp.escape(one)}$`, 'iu');
    expect(keys.slice(index + 1).filter((other) => same.test(other))).toEqual([]);
  }
  for (const inner of Object.values(value)) expectDistinctKeys(inner);
}

const path = piecewise(
  [
    '/',
    '..',
    '.',
    '%2e',
    '%2f',
    '%252e',
    '\\',
    '@',
    ':',
    '?',
    '&',
    '=',
    'v1',
    'schema',
    'objects',
    'graphql',
    'batch',
    'Person',
    'http:',
    '//',
    '%5c',
    ';',
    'é',
    '%',
    '+',
    '#',
    'class',
    '\u2028',
    'a%00b',
  ],
  8,
);
const verb = fc.constantFrom(
  'GET',
  'get',
  'POST',
  'DELETE',
  'PUT',
  'PATCH',
  'HEAD',
  'OPTIONS',
  'TRACE',
  'PoSt',
);
const gap = fc.constantFrom(' ', '  ', '\t', '\n', '', '\u00a0', '\n# note\n');
const line = fc.oneof(
  fc
    .tuple(fc.constantFrom('', '# note\n', '\n', '  '), verb, gap, path, gap, fc.oneof(fc.constant(''), body))
    .map((parts) => parts.join('')),
  fc
    .tuple(
      verb,
      fc.constantFrom(
        '/objects',
        '/batch/objects',
        '/graphql',
        '/schema',
        '/objects/Person/1',
        '/v1/objects',
      ),
      body,
    )
    .map((parts) => parts.join(' ')),
);

fuzz({
  name: 'rest-lines',
  holds:
    'a line is refused or is no request, or its path stays in /v1 and a line written from its parts has the same parts',
  short: 2000,
  inputs: line,
  property(text) {
    let read: RestLine | null;
    try {
      read = readRestLine(text);
    } catch (error) {
      expectOwnError(error, 'DriverError');
      return;
    }
    if (!read) return;
    const query = new URLSearchParams(read.query).toString();
    const url = new URL(read.path + (query === '' ? '' : `?${query}`), origin);
    expect([url.origin, url.pathname]).toEqual([origin, read.path]);
    expect(/^\/v1(\/|$)/.test(url.pathname)).toBe(true);
    expect(Object.fromEntries(url.searchParams)).toEqual(read.query);
    expect(read.effect).toBe(effectOfRequest(read.method, url.pathname));
    const isRead =
      ['GET', 'HEAD', 'OPTIONS'].includes(read.method) ||
      `${read.method} ${read.path}` === 'POST /v1/graphql';
    if (!isRead) expect(read.effect).not.toBe('read');
    const written = `${read.method} ${url.pathname}${url.search} ${read.body?.text ?? ''}`;
    // The reader drops one leading `v1`. A path that starts with two of them is not compared.
    if (read.segments[0] !== 'v1') expect(readRestLine(written)).toEqual(read);
  },
});

let session: Session;
const asked: { method: string; url: string; body: string }[] = [];
const schema = {
  classes: ['Decoy', 'Person'].map((name) => ({
    class: name,
    vectorizer: 'none',
    properties: [{ name: 'name', dataType: ['text'] }],
  })),
};
const server = createServer(async (request, response) => {
  let text = '';
  for await (const chunk of request) text += chunk;
  const { method = '', url = '' } = request;
  response.setHeader('content-type', 'application/json');
  if (url === '/v1/meta') return response.end(JSON.stringify({ version: '1.39.0', modules: {} }));
  if (url === '/v1/schema' && method === 'GET') return response.end(JSON.stringify(schema));
  asked.push({ method, url, body: text });
  return response.end('{"data":{}}');
});
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const fields = { host: '127.0.0.1', port, authMethod: 'none', sslMode: 'disabled' };
  session = await driver.connect({ fields, log: () => {}, dial: directDial(fields) }, call);
});
afterAll(async () => {
  await session.close();
  server.close();
});

/** Mostly the first text, so that some lines are right in every part. */
function mostly(right: string, ...others: string[]): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 8, arbitrary: fc.constant(right) },
    { weight: 1, arbitrary: fc.constantFrom(...others) },
  );
}

const detours = [
  '/',
  '//',
  '/.',
  '/..',
  '/%2e%2e',
  '/schema/..',
  '/%2f',
  '/\\',
  ';',
  ';x',
  '%',
  '%25',
  '#',
  '\u2028',
];
const called = Object.keys(connectMethods).map((name) => `/weaviate.v1.Weaviate/${name}`);
const health = '/grpc.health.v1.Health/Check';
const misspelt = fc
  .tuple(
    fc.constantFrom(
      '/weaviate.v1.Weaviate',
      '/Weaviate.V1.weaviate',
      '/weaviate.v1%2EWeaviate',
      '/other.v1.Service',
    ),
    mostly('/', ...detours),
    fc.constantFrom(
      'Search',
      'search',
      '\u017fearch',
      '%53earch',
      '%2553earch',
      'BatchStream',
      'Check',
      'Search/x',
    ),
  )
  .map((parts) => parts.join(''));
const connectRoute = fc.tuple(
  mostly('', '/v1', '/V1', '//', 'http://weaviate.example:8080', '//weaviate.example:8080/v1', ...detours),
  fc.oneof(
    { weight: 2, arbitrary: fc.constant('/grpc-web') },
    fc.constantFrom('/GRPC-WEB', '/Grpc-web', '/grpc%2Dweb', '/grpc-web%2F', '/%67rpc-web', '/grpc-webs'),
  ),
  mostly('', ...detours),
  fc.oneof({ weight: 2, arbitrary: fc.constantFrom(health, ...called) }, misspelt),
  mostly('', ...detours),
  mostly('', '?', '?connect=v1', '?message={}&encoding=json', '?/v1/graphql'),
);
const connectBodies = fc.oneof(
  fc.constant(''),
  mostly(
    ...['{}', '{"collection":"Person"}', '{"collection":"Person","limit":"3"}', '{"objects":[]}'],
    ...['{"collection":"Person","filter":{}}', '{"collection":"Person","dry_run":true}', '{"references":[]}'],
  ),
  body,
);
const connectLine = fc
  .tuple(
    fc.oneof({ weight: 3, arbitrary: fc.constant('POST') }, verb),
    connectRoute.map((parts) => parts.join('')),
    connectBodies,
  )
  .map((parts) => parts.join(' '));

const readMethods = ['Search', 'Aggregate', 'TenantsGet'] as const;
const readPaths = [connectHealthPath, ...readMethods.map(connectPath)];
const writePaths = [connectPath('BatchObjects'), connectPath('BatchReferences')];

fuzz({
  name: 'connect-lines',
  holds:
    'a line for Connect is refused, or reads or writes by the exact path of its method, or destroys. A read is sent to this path with the message that was written',
  short: 1000,
  weight: 50,
  inputs: connectLine,
  async property(text) {
    const read = lineOf(text);
    asked.length = 0;
    try {
      await session.run({ text, ceiling: 'read', limit: 3, outbound: 'user' }, call);
    } catch (error) {
      expectOwnError(error, 'DriverError');
    }
    const mounted = read !== null && /^\/v1\/grpc-web(\/|$)/i.test(read.path) ? read : null;
    if (mounted) {
      const isPost = mounted.method === 'POST';
      const known = readPaths.includes(mounted.path)
        ? 'read'
        : writePaths.includes(mounted.path)
          ? 'write'
          : 'destroy';
      expect(mounted.effect).toBe(isPost ? known : 'destroy');
    }
    for (const { method, url, body: sent } of asked) {
      if (!mounted) {
        expect(['GET', 'HEAD', 'OPTIONS']).toContain(method);
        continue;
      }
      expect([method, mounted.effect, readPaths.includes(url)]).toEqual(['POST', 'read', true]);
      expect(url).toBe(mounted.path);
      const name = readMethods.find((one) => connectPath(one) === url);
      const given = text.slice(text.indexOf('{'));
      if (name === undefined) expect(sent).toBe('{}');
      else expect(message(name, sent)).toEqual(message(name, given));
    }
  },
});

function lineOf(text: string): RestLine | null {
  try {
    return readRestLine(text);
  } catch (error) {
    expectOwnError(error, 'DriverError');
    return null;
  }
}

function message(name: (typeof readMethods)[number], text: string) {
  return fromJson(connectMethods[name].request, JSON.parse(text) as JsonValue);
}

const graphql = piecewise(
  [
    '{',
    '}',
    '(',
    ')',
    ' Get ',
    ' Person ',
    ' name ',
    'query',
    ' mutation ',
    ' fragment F on X ',
    '...F',
    '"""',
    '"',
    '# x\n',
    'where:',
    '[',
    ']',
    '$v',
    ': String',
    '@skip(if: true)',
    ',',
    '\\u0050',
    'alias: ',
    '{ Get { Person { name } } }',
  ],
  10,
);

fuzz({
  name: 'weaviate-statements',
  holds: 'no request has a stronger effect than classified or allowed, and a GraphQL query stays the same',
  short: 400,
  weight: 50,
  inputs: fc.record({
    text: fc.oneof(
      line,
      graphql,
      graphql.map((query) => `POST /graphql ${JSON.stringify({ query })}`),
    ),
    ceiling: fc.constantFrom('read', 'write', 'destroy'),
  }),
  async property({ text, ceiling }) {
    let judged: Awaited<ReturnType<Session['classify']>> | undefined;
    asked.length = 0;
    try {
      judged = await session.classify(text, call);
      expect(asked).toEqual([]);
      await session.run({ text, ceiling, limit: 3 }, call);
    } catch (error) {
      expectOwnError(error, 'DriverError');
    }
    if (!judged) expect(asked).toEqual([]);
    for (const { method, url, body: sent } of asked) {
      const effect = effectOfRequest(method, url);
      expect(exceeds(effect, judged!.effect)).toBe(false);
      expect(exceeds(effect, ceiling)).toBe(false);
      expect(new URL(url, origin).href).toBe(origin + url);
      if (`${method} ${url}` !== 'POST /v1/graphql') continue;
      const given = readRestLine(text)?.body?.value as { query?: string } | undefined;
      expect(print(parse((JSON.parse(sent) as { query: string }).query))).toBe(
        print(parse(given?.query ?? text)),
      );
    }
  },
});
