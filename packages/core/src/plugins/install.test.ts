import { spawnSync } from 'node:child_process';
import { readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createGzip, gzipSync } from 'node:zlib';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { EventHub } from '../events/events.ts';
import { JobList } from '../jobs/jobs.ts';
import { Registry } from '../registry/registry.ts';
import { RegistryStore } from '../registry/registry-store.ts';
import { openStorage } from '../storage/storage.ts';
import { hostEntry, temporaryFolder, testCore } from '../testing/test-core.ts';
import type { InstallStep } from '../types.ts';
import { createDriverCatalog } from './driver-catalog.ts';
import { driverEntries, type Entry, packageFile, packageOf, tarOf } from './testing/driver-package.ts';

const signal = new AbortController().signal;
const code = (source: string) => driverEntries({}, source);

/** Every file and folder in the data directory's plugin folder. */
function contentOf(home: string): string[] {
  return readdirSync(join(home, 'plugins'), { recursive: true }).map(String).sort();
}

async function refusedBy(path: string) {
  const { core, home, events } = await testCore();
  const before = readdirSync(home).filter((name) => name !== 'plugins');
  const steps: InstallStep[] = [];
  const error = await core.drivers.installFromFile(path, { signal, onStep: (step) => steps.push(step) }).then(
    () => null,
    (reason: Error) => reason,
  );
  expect(core.drivers.list().map(({ id }) => id)).toEqual(['fixture']);
  expect(readdirSync(home).filter((name) => name !== 'plugins')).toEqual(before);
  if (readdirSync(home).includes('plugins')) expect(contentOf(home)).toEqual([]);
  expect(events).toEqual([]);
  const message = error?.message ?? 'installed';
  const last = steps.at(-1);
  expect(message).toMatch(new RegExp(`^Step "${last}" refused the driver: `));
  return message.replace(/^Step "(\w+)" refused the driver: /, '$1: ');
}

test('an install from a file runs its steps in order, and only the user can read the installed files', async () => {
  const { core, home, events } = await testCore();
  const steps: InstallStep[] = [];
  const path = packageOf([
    ...driverEntries(),
    { path: './docs/', type: 'Directory' },
    { path: 'docs/a.txt', body: 'a' },
  ]);
  const installed = await core.drivers.installFromFile(path, { signal, onStep: (step) => steps.push(step) });
  expect(steps).toEqual(['read', 'unpack', 'manifest', 'load', 'install']);
  expect(events).toEqual([{ type: 'driversChanged' }]);
  expect(installed).toMatchObject({
    manifest: { id: 'plugin', version: '1.0.0' },
    bundled: false,
    integrity: expect.stringMatching(/^sha512-[A-Za-z0-9+/]{86}==$/),
  });
  expect(core.drivers.details()).toEqual([expect.objectContaining({ bundled: true }), installed]);
  expect(core.drivers.get('plugin')).toEqual(installed.manifest);
  const files = contentOf(home);
  const inside = ['.origin.json', 'docs', 'docs/a.txt', 'driver.js', 'manifest.json'];
  expect(files).toEqual(['plugin', 'plugin/1.0.0', ...inside.map((name) => `plugin/1.0.0/${name}`)]);
  for (const file of files) {
    const stat = statSync(join(home, 'plugins', file));
    expect([file, stat.mode & 0o777]).toEqual([file, stat.isDirectory() ? 0o700 : 0o600]);
  }
});

type Refused = [string, Entry[], string | RegExp];

test.each<Refused>([
  [
    'a path upwards',
    [{ path: '../escaped.js', body: 'x' }],
    'unpack: "../escaped.js" leads outside the package',
  ],
  ['a path upwards in the middle', [{ path: 'a/../../escaped.js' }], /leads outside the package$/],
  ['an absolute path', [{ path: '/tmp/escaped.js', body: 'x' }], /is an absolute path$/],
  ['a path with a drive letter', [{ path: 'c:/escaped.js' }], /no file of a driver may have$/],
  ['a path with a backslash', [{ path: '..\\escaped.js' }], /no file of a driver may have$/],
  ['a path with a control character', [{ path: 'a\u001bb.js' }], /"a�b\.js" has a character/],
  [
    'a symbolic link',
    [{ path: 'etc', type: 'SymbolicLink', linkpath: '/etc' }],
    'unpack: "etc" is a symbolic link',
  ],
  [
    'a hard link',
    [{ path: 'hosts', type: 'Link', linkpath: '/etc/hosts' }],
    'unpack: "hosts" is a hard link',
  ],
  [
    'a character device',
    [{ path: 'null', type: 'CharacterDevice', devmaj: 1, devmin: 3 }],
    'unpack: "null" is a device',
  ],
  ['a block device', [{ path: 'disk', type: 'BlockDevice' }], 'unpack: "disk" is a device'],
  ['a pipe', [{ path: 'pipe', type: 'FIFO' }], 'unpack: "pipe" is a pipe'],
  ['a sparse file', [{ path: 'sparse', type: 'SparseFile' as never }], /is neither a file nor a folder$/],
  [
    'a symbolic link that a pax header renames to a script',
    [pax('path=driver2.js\n'), { path: 'x', type: 'SymbolicLink', linkpath: '/etc' }],
    /is a symbolic link$/,
  ],
  [
    'a path upwards in a pax header',
    [pax('path=../escaped.js\n'), { path: 'x', body: 'x' }],
    /leads outside the package$/,
  ],
  [
    'the same file twice',
    [
      { path: 'a.js', body: '1' },
      { path: './a.js', body: '2' },
    ],
    /two entries of one name$/,
  ],
  [
    'a file below a file',
    [
      { path: 'a', body: '1' },
      { path: 'a/b', body: '2' },
    ],
    /^unpack: /,
  ],
  ['a file name that the app uses', [{ path: '.origin.json', body: 'x' }], /the app uses itself$/],
  ...['.Origin.json', '.ORIGIN.JSON', '.orıgin.json'].map(
    (path) => [`the app's file name as ${path}`, [{ path, body: 'x' }], /the app uses itself$/] as Refused,
  ),
  ...[
    ['lib.js', 'LIB.js'],
    ['manifest.json', 'Manifest.json'],
    ['lib/a.js', 'Lib/b.js'],
    ['lib', 'LIB/b.js'],
    ['caf\u00e9.js', 'cafe\u0301.js'],
    ['stra\u00dfe.js', 'STRASSE.js'],
    ['stra\u1e9ee.js', 'stra\u00dfe.js'],
    ['\u212aelvin.js', 'kelvin.js'],
    ['\ufb01le.js', 'file.js'],
    ['σ.js', 'ς.js'],
    ['\uff41.js', 'a.js'],
  ].map(
    (paths) =>
      [
        `${paths[0]} beside ${paths[1]}`,
        paths.map((path) => ({ path, body: 'x' })),
        /differs from ".*" only in letter case or in its Unicode form$/,
      ] as Refused,
  ),
  ...[
    ...[
      'CON',
      'nul.js',
      'lib/Aux.tar.gz',
      'com1',
      'LPT9.txt',
      'com\u00b9.js',
      'prn .js',
      'CONIN$',
      'ＮＵＬ.js',
    ],
  ].map((path) => [`the device ${path}`, [{ path, body: 'x' }], /a device on Windows$/] as Refused),
  ...['a.js.', 'a.js ', 'lib./a.js', ' a.js', 'lib /a.js', '.../a.js', 'a.js\u00a0'].map(
    (path) =>
      [
        `the name "${path}"`,
        [{ path, body: 'x' }],
        /begins or ends with a blank, or ends with a dot$/,
      ] as Refused,
  ),
  ...[
    'manifest.json::$DATA',
    'driver.js:more',
    'a<b.js',
    'a?.js',
    'a*.js',
    'a|b.js',
    'a"b.js',
    'driver.js\u200b',
    'a\u202esj.js',
    'a\u00ad.js',
  ].map((path) => [`the name ${path}`, [{ path, body: 'x' }], /no file of a driver may have$/] as Refused),
  ...['MANIFE~1.JSO', 'lib~2/a.js'].map(
    (path) =>
      [`the short name ${path}`, [{ path, body: 'x' }], /looks like a short name of Windows/] as Refused,
  ),
  ['a path too deep', [{ path: 'a/'.repeat(20) }], /too deep or too long$/],
  [
    'too many entries',
    Array.from({ length: 1001 }, (_, n) => ({ path: `f${n}` })),
    'unpack: it has more than 1000 entries',
  ],
  ['no manifest', [{ path: 'driver.js', body: '' }], /^manifest: its manifest\.json cannot be read/],
  ['an invalid manifest', [{ path: 'manifest.json', body: '[]' }], /^manifest: its manifest is not valid/],
  [
    'a manifest for another driver kit',
    driverEntries({ kit: 2 }),
    'manifest: it was made for driver kit 2, and this app has 1',
  ],
  [
    'a manifest for another platform',
    driverEntries({ platforms: ['mobile'] }),
    'manifest: it is made for mobile, not for desktop',
  ],
  ['a version that is a path', driverEntries({ version: '1.0.0/../../../x' }), /is not of the form 1\.2\.3/],
  [
    'no entry file',
    driverEntries().slice(0, 1),
    'manifest: its file driver.js is missing, or is not a regular file',
  ],
  [
    'the id of a bundled driver',
    driverEntries({ id: 'fixture' }),
    'manifest: fixture is the id of a driver that ships with the app',
  ],
  [
    'a right that only bundled drivers get',
    driverEntries({ process: { network: false, sqlite: true } }),
    'manifest: it asks for node:sqlite, which only drivers that ship with the app may have',
  ],
  ['an entry file that throws', code('throw new Error("on purpose")'), 'load: on purpose'],
  ['an entry file without a driver', code('export const driver = 1'), /^load: .*no export named driver/],
  [
    'an entry file that reads outside the package',
    code("import { readFileSync } from 'node:fs'; readFileSync('/etc/passwd')"),
    /^load: .*restricted/,
  ],
  [
    'an entry file that reads the folder above its own',
    code("import { readdirSync } from 'node:fs'; readdirSync('..')"),
    /^load: .*restricted/,
  ],
  ['an entry file that ends its process', code('process.exit(0)'), /^load: .*exit code 0/],
])('a package with %s is refused', async (_name, entries, words) => {
  const listed = entries.some(({ path }) => path === 'manifest.json' || path === 'driver.js');
  const message = await refusedBy(packageOf(listed ? entries : [...driverEntries(), ...entries]));
  if (typeof words === 'string') expect(message).toBe(words);
  else expect(message).toMatch(words);
});

test('a driver that never finishes loading is refused, and leaves no file', async () => {
  const home = temporaryFolder();
  const log = pino({ level: 'silent' });
  const events = new EventHub(log);
  const store = new RegistryStore(openStorage(home));
  const catalog = createDriverCatalog({
    ...{ home, hostEntry, events, log, store, loadMs: 500 },
    jobs: new JobList({ events, log }),
    platform: 'desktop',
    registry: new Registry({ store, pinned: null, override: null, log, onChange: () => {} }),
    bundledDrivers: [],
    openConnections: () => [],
    openSessions: () => 0,
    hasConnections: () => false,
  });
  await expect(catalog.installFromFile(packageOf(code('for (;;);')), { signal })).rejects.toThrow(
    /^Step "load" refused the driver: .*did not finish within 0\.5 seconds/,
  );
  expect(contentOf(home)).toEqual([]);
});

test('a path that does not lead to a valid package is refused', async () => {
  const folder = temporaryFolder();
  const whole = gzipSync(tarOf(driverEntries()));
  const flipped = Buffer.from(whole);
  flipped[40]! ^= 0xff;
  spawnSync('mkfifo', [join(folder, 'pipe')]);
  writeFileSync(join(folder, 'huge.tgz'), '');
  truncateSync(join(folder, 'huge.tgz'), 50 * 1024 * 1024 + 1);
  const cut = tarOf([{ path: 'a', body: 'x'.repeat(5000) }]).subarray(0, 2000);
  for (const [path, words] of [
    [join(folder, 'nothing.tgz'), /^read: there is no file /],
    [folder, /^read: .* is not a regular file$/],
    [join(folder, 'pipe'), /^read: .* is not a regular file$/],
    ['/dev/zero', /^read: .* is not a regular file$/],
    [join(folder, 'huge.tgz'), /^read: .* is larger than 50 MB$/],
    [packageFile(Buffer.alloc(0)), /^unpack: /],
    [packageFile(Buffer.from('not a package')), /^unpack: it is not a gzip file/],
    [packageFile(whole.subarray(0, whole.length - 20)), 'unpack: it is cut short'],
    [packageFile(whole.subarray(0, 100)), 'unpack: it is cut short'],
    [packageFile(flipped), /^unpack: it is (not a gzip file|not a tar archive)/],
    [packageFile(gzipSync(gzipSync(tarOf(driverEntries())))), 'unpack: it is compressed twice'],
    [packageFile(gzipSync(gzipSync('short'))), 'unpack: it is not a tar archive'],
    [packageFile(gzipSync(randomText())), /^unpack: it is not a tar archive/],
    [packageFile(gzipSync(cut)), /^unpack: it is not a tar archive, or damaged/],
    [packageFile(gzipSync(Buffer.alloc(10_240))), /^unpack: /],
  ] as const) {
    const message = await refusedBy(path);
    if (typeof words === 'string') expect(message).toBe(words);
    else expect(message).toMatch(words);
  }
});

test('a small file that unpacks to more than 200 MB is refused', async () => {
  for (const bytes of [await bomb('File'), await bomb('after the end')]) {
    expect(bytes.length).toBeLessThan(1024 * 1024);
    expect(await refusedBy(packageFile(bytes))).toBe('unpack: its files are larger than 200 MB');
  }
});

test('a cancel before the last step leaves no driver, and a cancel at the last step comes too late', async () => {
  const { core, home } = await testCore();
  const path = packageOf(driverEntries());
  for (const stopAt of ['read', 'unpack', 'manifest', 'load', 'install'] as const) {
    const stop = new AbortController();
    const onStep = (step: InstallStep) => step === stopAt && stop.abort();
    const installing = core.drivers.installFromFile(path, { signal: stop.signal, onStep });
    if (stopAt === 'install') await installing;
    else await expect(installing).rejects.toMatchObject({ code: 'cancelled' });
    if (stopAt !== 'install') expect(core.drivers.get('plugin')).toBeUndefined();
  }
  expect(contentOf(home).filter((name) => name.startsWith('.'))).toEqual([]);
});

function pax(record: string): Entry {
  const length = `${Buffer.byteLength(record) + 3}`.length + 1 + Buffer.byteLength(record);
  return { path: 'PaxHeader/x', type: 'ExtendedHeader', body: `${length} ${record}` };
}

function randomText(): string {
  return Array.from({ length: 20_000 }, (_, n) => (n * 7919 * 7919) % 1_000_003).join(',');
}

/** 300 MB of zeros: as one file's content, or behind the end of a good archive. */
async function bomb(kind: 'File' | 'after the end'): Promise<Buffer> {
  const size = 300 * 1024 * 1024;
  const start = kind === 'File' ? tarOf([{ path: 'zeros', size }]).subarray(0, 512) : tarOf(driverEntries());
  const gzip = createGzip({ level: 9 });
  const chunks: Buffer[] = [];
  gzip.on('data', (chunk) => chunks.push(chunk));
  const done = new Promise((resolve) => gzip.once('end', resolve));
  gzip.write(start);
  const zeros = Buffer.alloc(10 * 1024 * 1024);
  for (let written = 0; written < size; written += zeros.length) gzip.write(zeros);
  gzip.end();
  await done;
  return Buffer.concat(chunks);
}

test('an update cannot turn an existing field into a file', async () => {
  const { core } = await testCore();
  const install = (version: string, field: object) =>
    core.drivers.installFromFile(
      packageOf(driverEntries({ version, fields: [{ id: 'a', label: 'A', ...field } as never] })),
      { signal },
    );
  await install('1.0.0', { type: 'text', default: '/proc/self/environ' });
  await expect(install('1.1.0', { type: 'file', deliver: 'text' })).rejects.toThrow(
    'its field a was not a file before',
  );
});

test('an update cannot turn an existing field into the server that the app dials', async () => {
  const { core } = await testCore();
  const fields = [
    { id: 'host', label: 'Host', type: 'text' as const },
    { id: 'port', label: 'Port', type: 'integer' as const },
    { id: 'region', label: 'Region', type: 'text' as const, default: 'evil.example' },
  ];
  const install = (version: string, network: false | { host: string; port: string }) =>
    core.drivers.installFromFile(
      packageOf(driverEntries({ version, fields, process: { network, sqlite: false } })),
      { signal },
    );
  await install('1.0.0', { host: 'host', port: 'port' });
  await expect(install('1.1.0', { host: 'region', port: 'port' })).rejects.toThrow(
    'its field region did not name a server before',
  );
  await install('1.2.0', { host: 'host', port: 'port' });
  await install('1.3.0', false);
  await expect(install('1.4.0', { host: 'host', port: 'port' })).rejects.toThrow(
    'did not name a server before',
  );
});
