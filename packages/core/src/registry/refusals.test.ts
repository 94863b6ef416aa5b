import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { driverEntries, type Entry, tarOf } from '../plugins/testing/driver-package.ts';
import { testCore } from '../testing/test-core.ts';
import { newKey, type Published, publish, servedRegistry } from './testing/served-registry.ts';

const signal = new AbortController().signal;

type Served = Awaited<ReturnType<typeof servedRegistry>>;

/** Traces of an install: driver files, and ids that now belong to a publisher. */
function tracesIn(home: string): string[] {
  const folder = join(home, 'plugins');
  const files = existsSync(folder) ? readdirSync(folder, { recursive: true }).map(String) : [];
  const database = new DatabaseSync(join(home, 'trestle.db'), { readOnly: true });
  const owned = database.prepare("SELECT key FROM registry WHERE key LIKE 'owner %'").all();
  database.close();
  return [...files, ...owned.map(({ key }) => String(key))];
}

/** Installs a driver from a registry that `arrange` prepared. Expects no traces. Returns the error message. */
async function refusalOf(arrange: (registry: Served) => void): Promise<string> {
  const registry = await servedRegistry();
  arrange(registry);
  // Long enough for a process to start on a busy machine, but short: some of these drivers never finish loading.
  const { core, home } = await testCore({ registry: registry.pinned, timing: { loadMs: 3_000 } });
  const error = await core.drivers.install('plugin', { signal }).then(
    () => new Error('It was installed'),
    (reason: Error) => reason,
  );
  expect(tracesIn(home)).toEqual([]);
  expect(core.drivers.list().map(({ id }) => id)).toEqual(['fixture']);
  // Afterwards the same app accepts a good package from another publisher.
  registry.control.misbehave = null;
  registry.control.down = false;
  registry.serve([publish({ version: '3.0.0' }, { key: newKey() })], { sequence: 100 });
  await core.drivers.refresh({ signal, force: true });
  expect(await core.drivers.install('plugin', { signal })).toMatchObject({ manifest: { version: '3.0.0' } });
  return error.message.replace(/127\.0\.0\.1:\d+/, 'HOST');
}

const serving =
  (change: (plugin: Published, registry: Served) => void) =>
  (registry: Served): void => {
    const plugin = publish({}, { key: registry.key });
    registry.serve([plugin]);
    change(plugin, registry);
  };

/** Packages with a valid signature and bad contents. */
const packaged = (entries: Entry[]) => (registry: Served) => {
  const bytes = gzipSync(tarOf(entries));
  registry.serve([publish({}, { key: registry.key, bytes })]);
};
const beside = (entry: Entry) => packaged([...driverEntries(), entry]);
const loading = (source: string) => packaged(driverEntries({}, source));

test.each<[string, (registry: Served) => void, string | RegExp]>([
  [
    'wrong integrity',
    serving(({ entry, bytes }, { files }) => files.set(entry.tarball, Buffer.alloc(bytes.length))),
    'Step "integrity" refused the driver: the file is not the one that the registry lists',
  ],
  [
    'a wrong signature of the publisher',
    (registry) => {
      const plugin = publish({}, { key: registry.key });
      plugin.entry.signature = publish({ version: '9.9.9' }, { key: registry.key }).entry.signature;
      registry.serve([plugin]);
    },
    'Step "signature" refused the driver: Example Publisher did not sign this version',
  ],
  [
    'an index signed by another key',
    ({ serve, key }) => serve([publish({}, { key })], { signers: [newKey()] }),
    /^The index of the registry is signed by another key \([0-9a-f ]{39}\)$/,
  ],
  [
    'an index whose signature is wrong',
    serving((_plugin, { files }) => {
      const text = files.get('index.json')!.toString();
      files.set('index.json', Buffer.from(text.replace('First version.', 'Other version.')));
    }),
    'The signature of the registry’s index is wrong',
  ],
  [
    'a page in place of the index',
    ({ files }) => files.set('index.json', Buffer.from('<html>Sign in</html>')),
    'The registry’s index.json is not an index of Trestle drivers',
  ],
  [
    'a package of another driver',
    packaged(driverEntries({ id: 'other' })),
    'Step "manifest" refused the driver: it is other 1.0.0, and the registry lists it as plugin 1.0.0',
  ],
  [
    'a path upwards',
    beside({ path: '../escaped.js', body: 'x' }),
    'Step "unpack" refused the driver: "../escaped.js" leads outside the package',
  ],
  [
    'an absolute path',
    beside({ path: '/tmp/escaped.js', body: 'x' }),
    'Step "unpack" refused the driver: "/tmp/escaped.js" is an absolute path',
  ],
  [
    'a symbolic link',
    beside({ path: 'etc', type: 'SymbolicLink', linkpath: '/etc' }),
    'Step "unpack" refused the driver: "etc" is a symbolic link',
  ],
  [
    'a hard link',
    beside({ path: 'hosts', type: 'Link', linkpath: '/etc/hosts' }),
    'Step "unpack" refused the driver: "hosts" is a hard link',
  ],
  [
    'a device',
    beside({ path: 'null', type: 'CharacterDevice', devmaj: 1, devmin: 3 }),
    'Step "unpack" refused the driver: "null" is a device',
  ],
  [
    '10 GB of zeros',
    (registry) => {
      const bytes = tenGigabytesOfZeros();
      expect(bytes.length).toBeLessThan(20 * 1024 * 1024);
      registry.serve([publish({}, { key: registry.key, bytes })]);
    },
    'Step "unpack" refused the driver: its files are larger than 200 MB',
  ],
  [
    'an entry for a newer kit',
    (registry) => {
      const plugin = publish({ kit: 2 }, { key: registry.key });
      plugin.entry.kit = { from: 2, to: 2 };
      registry.serve([plugin]);
    },
    'The driver plugin cannot be installed from the registry: Plugin 1.0.0 needs a newer Trestle (driver kit 2; this one has 1)',
  ],
  [
    'an entry for a newer kit, with a manifest that this app cannot read',
    (registry) => {
      const plugin = publish({ kit: 2, fields: { later: 'form' } as never }, { key: registry.key });
      plugin.entry.kit = { from: 2, to: 2 };
      registry.serve([plugin]);
    },
    'The driver plugin cannot be installed from the registry: Plugin 1.0.0 needs a newer Trestle (driver kit 2; this one has 1)',
  ],
  [
    'a package for a newer kit, listed as one for this kit',
    packaged(driverEntries({ kit: 2 })),
    'Step "manifest" refused the driver: it was made for driver kit 2, and this app has 1',
  ],
  [
    'a driver that throws when it loads',
    loading('throw new Error("on purpose")'),
    'Step "load" refused the driver: on purpose',
  ],
  [
    'a driver that hangs when it loads',
    loading('await new Promise(() => setInterval(() => {}, 1000));'),
    /^Step "load" refused the driver: .*did not finish within 3 seconds/,
  ],
  [
    'a driver that spins when it loads',
    loading('for (;;);'),
    /^Step "load" refused the driver: .*did not finish within 3 seconds/,
  ],
  [
    'a truncated download',
    serving(({ entry, bytes }, { files }) => files.set(entry.tarball, bytes.subarray(0, 100))),
    /^Step "download" refused the driver: the registry has only a part of Plugin 1\.0\.0: 100 of \d+ bytes$/,
  ],
  [
    'more bytes than listed',
    serving(({ entry, bytes }, { files }) =>
      files.set(entry.tarball, Buffer.concat([bytes, Buffer.alloc(10)])),
    ),
    /^plugin-1\.0\.0\.tgz of the registry is larger than its limit of \d+ bytes$/,
  ],
  [
    'more bytes than listed, without a Content-Length',
    serving(({ bytes }, { control }) => {
      control.misbehave = (request, response) => {
        if (!request.url?.endsWith('.tgz')) return false;
        response.writeHead(200).write(bytes, () => response.end(Buffer.alloc(10)));
        return true;
      };
    }),
    /^plugin-1\.0\.0\.tgz of the registry is larger than its limit of \d+ bytes$/,
  ],
  [
    'a package that is not there',
    serving(({ entry }, { files }) => files.delete(entry.tarball)),
    'The plugin registry at HOST cannot be read: the server answered 404',
  ],
  [
    'a registry that is down, without a copy of its index',
    ({ control }) => {
      control.down = true;
    },
    /^The plugin registry at HOST cannot be read: (other side closed|read ECONNRESET)$/,
  ],
  [
    'a redirect of the index to another host',
    serving((_plugin, { control }) => {
      control.misbehave = (_request, response) => {
        response.writeHead(302, { location: 'http://localhost:1/index.json' }).end();
        return true;
      };
    }),
    'The registry at HOST sent a redirect to another address, http://localhost:1',
  ],
  [
    'a redirect of the package to another host',
    serving((_plugin, { control }) => {
      control.misbehave = (request, response) => {
        if (!request.url?.endsWith('.tgz')) return false;
        response.writeHead(302, { location: 'https://elsewhere.example/plugin.tgz' }).end();
        return true;
      };
    }),
    'The registry at HOST sent a redirect to another address, https://elsewhere.example',
  ],
])('an install fails because of %s, says so, and leaves nothing behind', async (_what, arrange, words) => {
  const message = await refusalOf(arrange);
  if (typeof words === 'string') expect(message).toBe(words);
  else expect(message).toMatch(words);
});

/** gzip allows several members in a row, so 64 MB of zeros are packed once and repeated. */
function tenGigabytesOfZeros(): Buffer {
  const size = 10 * 1024 ** 3;
  const block = Buffer.alloc(64 * 1024 * 1024);
  const head = tarOf([...driverEntries(), { path: 'zeros', size }]).subarray(0, -1024);
  const packed = gzipSync(block, { level: 9 });
  return Buffer.concat([gzipSync(head), ...Array.from({ length: size / block.length }, () => packed)]);
}

test('if the registry is down, an install says so and leaves nothing behind, and the drivers stay listed', async () => {
  const registry = await servedRegistry();
  registry.serve([publish({ version: '1.0.0' }, { key: registry.key })]);
  const { core, home } = await testCore({ registry: registry.pinned });
  await core.drivers.refresh({ signal });
  registry.control.down = true;
  await expect(core.drivers.install('plugin', { signal })).rejects.toThrow(
    /^The plugin registry at 127\.0\.0\.1:\d+ cannot be read: /,
  );
  expect(tracesIn(home)).toEqual([]);
  expect(core.drivers.listed()).toHaveLength(1);
});

test('after a restart, the app still refuses an index older than the one that it has seen', async () => {
  const registry = await servedRegistry();
  registry.serve([publish({ version: '2.0.0' }, { key: registry.key })], { sequence: 7 });
  const { core, home } = await testCore({ registry: registry.pinned });
  await core.drivers.refresh({ signal });
  await core.close();
  registry.serve([publish({ version: '1.0.0' }, { key: registry.key })], { sequence: 6 });
  const { core: again } = await testCore({ registry: registry.pinned, home });
  await expect(again.drivers.refresh({ signal, force: true })).rejects.toThrow(
    'The index of the registry (6) is older than one seen before (7)',
  );
  expect(again.drivers.get('plugin')?.version).toBe('2.0.0');
  expect(tracesIn(home)).toEqual([]);
});
