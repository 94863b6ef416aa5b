import { sign } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Manifest } from '@trestle/driver-kit';
import { indexStatement, packageStatement } from '@trestle/driver-kit/registry';
import { describe, expect, test } from 'vitest';
import { testCore } from '../testing/test-core.ts';
import { newKey, publicKeyOf, publish, servedRegistry } from './testing/served-registry.ts';

const signal = new AbortController().signal;

type Served = Awaited<ReturnType<typeof servedRegistry>>;

/** An app that has read a valid index once. */
async function reader() {
  const registry = await servedRegistry();
  registry.serve([publish({}, { key: registry.key })], { sequence: 5 });
  const { core, home } = await testCore({ registry: registry.pinned });
  await core.drivers.refresh({ signal });
  return { registry, core, home };
}

/** Expects that the app refuses the served answer, keeps the earlier index, and leaves no file in the plugin folder. */
async function expectRefused(serve: (registry: Served) => void, words: RegExp): Promise<void> {
  const { registry, core, home } = await reader();
  const before = core.drivers.listed();
  serve(registry);
  await expect(core.drivers.refresh({ signal, force: true })).rejects.toThrow(words);
  expect(core.drivers.listed()).toEqual(before);
  expect(before).toHaveLength(1);
  expect(filesIn(home)).toEqual([]);
}

function filesIn(home: string): string[] {
  const folder = join(home, 'plugins');
  return existsSync(folder) ? readdirSync(folder, { recursive: true }).map(String) : [];
}

const answering =
  (answer: (response: ServerResponse, request: IncomingMessage, registry: Served) => void) =>
  (registry: Served): void => {
    registry.control.misbehave = (request, response) => {
      answer(response, request, registry);
      return true;
    };
  };

const redirecting = (location: (registry: Served) => string, status = 302) =>
  answering((response, _request, registry) =>
    response.writeHead(status, { location: location(registry) }).end(),
  );

describe('an answer that is not an index is refused', () => {
  test.each<[string, string | Buffer, RegExp]>([
    ['nothing', '', /is not an index/],
    ['null', 'null', /is not an index/],
    ['a list', '[]', /is not an index/],
    ['a number', '7', /is not an index/],
    ['a payload that is not text', '{"payload":{},"signatures":[]}', /is not an index/],
    ['no signatures', '{"payload":"{}","signatures":[]}', /is not an index/],
    ['another encoding', Buffer.from('{"payload":"{}"}', 'utf16le'), /is not an index/],
    ['a hundred thousand nested lists', '['.repeat(100_000) + ']'.repeat(100_000), /is not an index/],
    ['a key named __proto__', '{"__proto__":{"payload":"{}","signatures":[]}}', /is not an index/],
  ])('%s', (_, body, words) =>
    expectRefused(({ files }) => files.set('index.json', Buffer.from(body)), words),
  );
});

describe('the app refuses an index with', () => {
  type Parts = { payload: string; signatures: { key: string; signature: string }[] };
  const changed = (change: (file: Parts, registry: Served) => unknown) => (registry: Served) => {
    registry.serve([], { sequence: 9 });
    const file = JSON.parse(registry.files.get('index.json')!.toString()) as Parts;
    const result = change(file, registry);
    registry.files.set('index.json', Buffer.from(typeof result === 'string' ? result : JSON.stringify(file)));
  };
  test.each<[string, (file: Parts, registry: Served) => unknown, RegExp]>([
    [
      'an extra blank in the payload',
      (file) => {
        file.payload += ' ';
      },
      /signature of .* is wrong/,
    ],
    [
      'a changed letter of the payload',
      (file) => {
        file.payload = file.payload.replace('Test', 'test');
      },
      /is wrong/,
    ],
    [
      'a changed letter of the signature',
      ({ signatures: [one] }) => {
        one!.signature = one!.signature.replace(/^./, (c) => (c === 'A' ? 'B' : 'A'));
      },
      /is wrong/,
    ],
    [
      'a signature over the payload alone',
      ({ payload, signatures: [one] }, { key }) => {
        one!.signature = sign(null, Buffer.from(payload), key).toString('base64');
      },
      /is wrong/,
    ],
    [
      'a signature that was made for a package',
      ({ signatures: [one] }, { key }) => {
        one!.signature = sign(null, packageStatement('plugin', '1.0.0', 'x'), key).toString('base64');
      },
      /is wrong/,
    ],
    [
      'a signature by another key that claims to be by the trusted key',
      ({ payload, signatures: [one] }) => {
        one!.signature = sign(null, indexStatement(payload), newKey()).toString('base64');
      },
      /is wrong/,
    ],
    [
      'another base64 spelling of the trusted key',
      ({ signatures: [one] }) => {
        one!.key = one!.key.replace(/.=$/, (end) => `${next(end[0]!)}=`);
      },
      /signed by another key|is wrong/,
    ],
    [
      'a key of zeros, for which a signature of zeros may be valid',
      (file) => {
        file.signatures = [{ key: `${'A'.repeat(43)}=`, signature: `${'A'.repeat(86)}==` }];
      },
      /signed by another key|is wrong/,
    ],
    [
      'five signatures',
      (file) => {
        file.signatures = Array(5).fill(file.signatures[0]);
      },
      /is not an index/,
    ],
    ['an extra field', (file) => void Object.assign(file, { trusted: true }), /is not an index/],
    [
      'a second payload behind the signed one',
      (file) => JSON.stringify(file).replace(/}$/, ',"payload":"{\\"format\\":1}"}'),
      /is wrong/,
    ],
    [
      'a foreign signature beside a broken one of the trusted key',
      (file) => {
        const other = newKey();
        const signature = sign(null, indexStatement(file.payload), other).toString('base64');
        file.signatures = [
          { key: file.signatures[0]!.key, signature },
          { key: publicKeyOf(other), signature },
        ];
      },
      /signed by another key/,
    ],
  ])('%s', (_, change, words) => expectRefused(changed(change), words));

  test.each([1, 4])('sequence %i after an index with sequence 5', (sequence) =>
    expectRefused(({ serve }) => serve([], { sequence }), /is older than one seen before \(5\)/),
  );
});

describe('the app refuses a signed index with', () => {
  const listing =
    (change: (entry: Record<string, unknown> & { manifest: Manifest }) => void) => (registry: Served) => {
      const plugin = publish({}, { key: registry.key });
      change(plugin.entry as never);
      registry.serve([plugin], { sequence: 6 });
    };
  test.each<[string, string]>([
    ['a parent folder', '../plugin.tgz'],
    ['an encoded parent folder', '..%2fplugin.tgz'],
    ['an absolute path', '/etc/plugin.tgz'],
    ['another host', 'http://evil.example/plugin.tgz'],
    ['another host and no protocol', '//evil.example/plugin.tgz'],
    ['a file URL', 'file:///etc/plugin.tgz'],
    ['a folder', 'a/plugin.tgz'],
    ['a Windows folder', 'a\\plugin.tgz'],
    ['a line break', 'plugin.tgz\n'],
    ['a query', 'plugin.tgz?x=.tgz'],
    ['no name before its ending', '.tgz'],
  ])('a package address with %s', (_, tarball) =>
    expectRefused(
      listing((entry) => {
        entry.tarball = tarball;
      }),
      /has a form that this version of Trestle does not know/,
    ),
  );

  test.each<[string, (entry: Record<string, unknown> & { manifest: Manifest }) => void]>([
    ['a size of zero', (entry) => (entry.size = 0)],
    ['a size below zero', (entry) => (entry.size = -1)],
    ['a size beyond every disk', (entry) => (entry.size = 1e300)],
    ['a size as text', (entry) => (entry.size = '1')],
    ['a hash that is easy to forge', (entry) => (entry.integrity = 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=')],
    ['two hashes', (entry) => (entry.integrity = `${entry.integrity} sha1-x`)],
    ['an id that is a path', (entry) => (entry.manifest.id = '../plugin')],
    ['an id with a capital letter', (entry) => (entry.manifest.id = 'Plugin')],
    ['an id with a look-alike letter', (entry) => (entry.manifest.id = 'plug\u0456n')],
    ['an id named __proto__', (entry) => (entry.manifest.id = '__proto__')],
    ['a version that is a path', (entry) => (entry.manifest.version = '../../1.0.0')],
    ['a version of a thousand digits', (entry) => (entry.manifest.version = `1.0.${'9'.repeat(1_000)}`)],
    ['an entry file outside of the package', (entry) => (entry.manifest.entry = '../evil.js')],
    ['changes of a megabyte', (entry) => (entry.changes = 'x'.repeat(1024 * 1024))],
    [
      'a publisher without a name',
      (entry) => (entry.publisher = { name: '', key: (entry.publisher as { key: string }).key }),
    ],
    ['an extra field', (entry) => (entry.scripts = { install: 'sh' })],
  ])('%s', (_, change) =>
    expectRefused(
      listing((entry) => void change(entry)),
      /has a form that this version of Trestle does not know/,
    ),
  );

  test.each<[string, object]>([
    ['a later format', { format: 2 }],
    ['no keys', { keys: [] }],
    ['five keys', { keys: Array(5).fill(`${'A'.repeat(43)}=`) }],
    ['a sequence beyond the safe integers', { sequence: 2 ** 60 }],
    ['a fractional sequence', { sequence: 6.5 }],
    ['a name of a megabyte', { name: 'x'.repeat(1024 * 1024) }],
    ['10,001 drivers', { plugins: Array(10_001).fill(publish({}, { key: newKey() }).entry) }],
    ['an extra field', { redirect: 'http://evil.example' }],
  ])('%s', (_, changes) =>
    expectRefused(
      ({ serve }) => serve([], { sequence: 6, ...(changes as { sequence?: number }) }),
      /has a form that this version of Trestle does not know/,
    ),
  );
});

describe('a hostile or broken answer does not replace the last index:', () => {
  test.each<[string, (registry: Served) => void, RegExp]>([
    [
      'a length of a terabyte',
      answering((response) => response.writeHead(200, { 'content-length': 1e12 }).flushHeaders()),
      /limit of 20971520 bytes/,
    ],
    [
      'an endless index',
      answering((response) => {
        const block = Buffer.alloc(1024 * 1024, ' ');
        const more = () =>
          void (
            response.destroyed || (response.write(block) ? setImmediate(more) : response.once('drain', more))
          );
        response.writeHead(200);
        more();
      }),
      /limit of 20971520 bytes/,
    ],
    [
      'a small answer that unpacks to 200 MB',
      answering((response) => {
        const packed = gzipSync(Buffer.alloc(1024 * 1024, ' '), { level: 9 });
        const body = Buffer.concat(Array(200).fill(packed));
        response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': body.length }).end(body);
      }),
      /limit of 20971520 bytes|cannot be read/,
    ],
    [
      'half an answer',
      answering((response) => {
        response.writeHead(200, { 'content-length': 1_000 }).write('{', () => response.destroy());
      }),
      /cannot be read/,
    ],
    ['the status 500', answering((response) => response.writeHead(500).end('{}')), /answered 500/],
    ['the status 204 (no content)', answering((response) => response.writeHead(204).end()), /answered 204/],
    ['the status 304 (not modified)', answering((response) => response.writeHead(304).end()), /answered 304/],
    ['a redirect without an address', answering((response) => response.writeHead(302).end()), /answered 302/],
    ['a redirect to itself', redirecting(() => '/index.json'), /redirects too often/],
    ['a redirect to a file: address', redirecting(() => 'file:///etc/passwd'), /to another address, file:$/],
    [
      'a redirect to a data: address',
      redirecting(() => 'data:application/json,{}'),
      /to another address, data:$/,
    ],
    ['a redirect to another port', redirecting(() => 'http://127.0.0.1:1/index.json'), /to another address/],
    [
      'a redirect to another name of this machine',
      redirecting(({ address }) => address.replace('127.0.0.1', 'localhost')),
      /to another address/,
    ],
    ['a redirect by two slashes', redirecting(() => '//evil.example/index.json', 308), /to another address/],
    [
      'a redirect with a backslash',
      redirecting(() => '/\\evil.example/index.json', 307),
      /to another address/,
    ],
    [
      'a redirect with a password',
      redirecting(({ address }) => address.replace('//', '//user:word@')),
      /cannot be read/,
    ],
    ['a redirect to an invalid address', redirecting(() => 'http://[', 301), /cannot be read/],
  ])('%s', (_, serve, words) => expectRefused(serve, words));

  test('if the index never arrives, the caller can cancel the read', async () => {
    const { registry, core } = await reader();
    const controller = new AbortController();
    registry.control.misbehave = (_request, response) => {
      response.writeHead(200).write('{', () => controller.abort());
      return true;
    };
    const reading = core.drivers.refresh({ signal: controller.signal, force: true });
    await expect(reading).rejects.toMatchObject({ code: 'cancelled' });
    expect(core.drivers.listed()).toHaveLength(1);
  });
});

describe('a listed package', () => {
  test('with a size of gigabytes is not fetched', async () => {
    const { registry, core, home } = await reader();
    const plugin = publish({ version: '2.0.0' }, { key: registry.key });
    plugin.entry.size = 8 * 1024 ** 3;
    registry.serve([plugin], { sequence: 6 });
    await core.drivers.refresh({ signal, force: true });
    await expect(core.drivers.install('plugin', { signal })).rejects.toThrow('larger than');
    expect(registry.requests.filter((request) => request.includes('.tgz'))).toEqual([]);
    expect(filesIn(home)).toEqual([]);
  });

  test('whose resumed download continues with other bytes is refused, and fetched completely the next time', async () => {
    const { registry, core, home } = await reader();
    const plugin = publish({}, { key: registry.key });
    const { tarball } = plugin.entry;
    registry.control.misbehave = (request, response) => {
      if (!request.url?.endsWith('.tgz')) return false;
      if (request.headers.range) {
        const from = Number(/\d+/.exec(request.headers.range)?.[0]);
        response.writeHead(206).end(Buffer.alloc(plugin.bytes.length - from));
      } else {
        response.writeHead(200, { 'content-length': plugin.bytes.length });
        response.write(plugin.bytes.subarray(0, 50));
        // Break the download only after its first bytes are on disk. Otherwise there is nothing to resume.
        const kept = () => filesIn(home).some((file) => statSync(join(home, 'plugins', file)).size === 50);
        void expect
          .poll(kept, { timeout: 60_000 })
          .toBe(true)
          .then(() => response.destroy());
      }
      return true;
    };
    registry.serve([plugin], { sequence: 6 });
    await core.drivers.refresh({ signal, force: true });
    await expect(core.drivers.install('plugin', { signal })).rejects.toThrow('cannot be read');
    await expect(core.drivers.install('plugin', { signal })).rejects.toThrow(
      'is not the one that the registry lists',
    );
    expect(filesIn(home)).toEqual([]);
    registry.control.misbehave = null;
    registry.files.set(tarball, plugin.bytes);
    expect(await core.drivers.install('plugin', { signal })).toMatchObject({
      manifest: { version: '1.0.0' },
    });
  });

  test.each<[string, (registry: Served) => string]>([
    ['was made for an index', ({ key }) => sign(null, indexStatement('{}'), key).toString('base64')],
    ['was made for another driver', ({ key }) => publish({ id: 'other' }, { key }).entry.signature],
    [
      'was made for other bytes',
      ({ key }) => publish({}, { key, source: 'export const driver = 1' }).entry.signature,
    ],
    ['is all zeros', () => `${'A'.repeat(86)}==`],
  ])('whose signature %s is refused', async (_, signature) => {
    const { registry, core, home } = await reader();
    const plugin = publish({}, { key: registry.key });
    plugin.entry.signature = signature(registry);
    registry.serve([plugin], { sequence: 6 });
    await core.drivers.refresh({ signal, force: true });
    await expect(core.drivers.install('plugin', { signal })).rejects.toThrow('did not sign this version');
    expect(filesIn(home)).toEqual([]);
  });

  test('may have the id constructor, which is also a property of Object.prototype', async () => {
    const { registry, core } = await reader();
    registry.serve([publish({ id: 'constructor' }, { key: registry.key })], { sequence: 6 });
    await core.drivers.refresh({ signal, force: true });
    expect(await core.drivers.install('constructor', { signal })).toMatchObject({
      manifest: { id: 'constructor' },
    });
    expect(core.drivers.list().map(({ id }) => id)).toEqual(['fixture', 'constructor']);
  });
});

function next(letter: string): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  return letters[(letters.indexOf(letter) + 1) % 64]!;
}
