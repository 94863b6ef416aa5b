import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { driverEntries, tarOf, workingDriver } from '../plugins/testing/driver-package.ts';
import { accessTo, client, fixtureDraft, temporaryFolder, testCore } from '../testing/test-core.ts';
import { newKey, publicKeyOf, publish, servedRegistry } from './testing/served-registry.ts';
import { fingerprint } from './verify.ts';

const signal = new AbortController().signal;
const draft = { ...fixtureDraft, name: 'Mine', driver: 'plugin' };

async function coreOn(registry: Awaited<ReturnType<typeof servedRegistry>>, home?: string) {
  const made = await testCore({ registry: registry.pinned, ...(home !== undefined && { home }) });
  const content = () => {
    try {
      return readdirSync(join(made.home, 'plugins'), { recursive: true }).map(String);
    } catch {
      return [];
    }
  };
  return { ...made, content };
}

test('a driver is listed, downloaded, verified, loaded and connects', async () => {
  const registry = await servedRegistry();
  registry.serve([
    publish({ version: '1.0.0' }, { key: registry.key }),
    publish({ version: '1.2.0' }, { key: registry.key }),
  ]);
  const { core, events } = await coreOn(registry);
  await core.drivers.refresh({ signal });
  expect(core.drivers.listed()).toEqual([
    expect.objectContaining({
      installed: null,
      isUpdate: false,
      unavailable: null,
      changes: 'First version.',
    }),
  ]);
  expect(core.drivers.get('plugin')?.version).toBe('1.2.0');
  expect(core.drivers.list().map(({ id }) => id)).toEqual(['fixture']);
  const installed = await core.drivers.install('plugin', { signal });
  expect(installed).toMatchObject({ publisher: 'Example Publisher', manifest: { version: '1.2.0' } });
  expect(core.jobs.get('install plugin')).toMatchObject({
    outcome: { how: 'complete', words: expect.stringMatching(/ 1\.2\.0 is installed$/) },
    detail: { steps: ['download', 'integrity', 'signature', 'unpack', 'manifest', 'load', 'install'] },
  });
  expect(events.map(({ type }) => type)).toContain('driversChanged');
  const { id } = await core.connections.create(draft);
  expect(await core.data.tables(accessTo(id))).toHaveLength(1);
});

test('opening a saved connection installs its driver without asking the user, once for all waiting calls', async () => {
  const registry = await servedRegistry();
  registry.serve([publish({}, { key: registry.key })]);
  const { core } = await coreOn(registry);
  await core.drivers.refresh({ signal });
  const connections = await Promise.all(
    ['A', 'B'].map((name) => core.connections.create({ ...draft, name })),
  );
  const opened = await Promise.all(connections.map(({ id }) => core.data.tables(accessTo(id))));
  expect(opened.map((tables) => tables.length)).toEqual([1, 1]);
  expect(registry.requests.filter((url) => url.endsWith('.tgz'))).toHaveLength(1);
});

test('a driver that the user removed stays away until the user installs it', async () => {
  const registry = await servedRegistry();
  registry.serve([publish({}, { key: registry.key })]);
  const { core, home } = await coreOn(registry);
  await core.drivers.install('plugin', { signal });
  const { id } = await core.connections.create(draft);
  await core.drivers.remove('plugin');
  const missing = { code: 'driver_missing', message: 'The driver plugin is not installed' };
  await expect(core.data.tables(accessTo(id))).rejects.toMatchObject(missing);
  await core.close();
  const { core: again } = await coreOn(registry, home);
  // A window does the same for the connection of each tab.
  await expect(again.data.tables(accessTo(id))).rejects.toMatchObject(missing);
  expect(again.drivers.list().map((one) => one.id)).toEqual(['fixture']);
  await again.drivers.install('plugin', { signal });
  expect(await again.data.tables(accessTo(id))).toHaveLength(1);
});

test('if the registry of a missing driver is down, the error says so, and the connection is kept', async () => {
  const registry = await servedRegistry();
  registry.serve([publish({}, { key: registry.key })]);
  const { core } = await coreOn(registry);
  await core.drivers.refresh({ signal });
  const { id } = await core.connections.create(draft);
  registry.control.down = true;
  await expect(core.data.tables(accessTo(id))).rejects.toMatchObject({
    code: 'connection_failed',
    message: expect.stringMatching(/^The plugin registry at 127\.0\.0\.1:\d+ cannot be read: /),
  });
  expect(core.connections.get(id)).toBeDefined();
  registry.control.down = false;
  expect(await core.data.tables(accessTo(id))).toHaveLength(1);
});

test('without a copy of the index, a connection cannot open while the registry is down, and opens once the registry is up', async () => {
  const registry = await servedRegistry();
  registry.serve([publish({}, { key: registry.key })]);
  const first = await coreOn(registry);
  await first.core.drivers.refresh({ signal });
  const { id } = await first.core.connections.create(draft);
  await first.core.close();
  const database = new DatabaseSync(join(first.home, 'trestle.db'));
  database.exec('DELETE FROM registry');
  database.close();
  registry.control.down = true;
  const { core } = await coreOn(registry, first.home);
  await expect(core.data.tables(accessTo(id))).rejects.toMatchObject({
    code: 'connection_failed',
    message: expect.stringMatching(/^The plugin registry at 127\.0\.0\.1:\d+ cannot be read: /),
  });
  registry.control.down = false;
  expect(await core.data.tables(accessTo(id))).toHaveLength(1);
});

test('the last good index is used offline and after a restart', async () => {
  const registry = await servedRegistry();
  registry.serve([publish({}, { key: registry.key })]);
  const first = await coreOn(registry);
  await first.core.drivers.refresh({ signal });
  await first.core.close();
  registry.control.down = true;
  const { core } = await coreOn(registry, first.home);
  expect(core.drivers.listed()).toHaveLength(1);
  await expect(core.drivers.refresh({ signal, force: true })).rejects.toMatchObject({
    code: 'connection_failed',
  });
  expect(core.drivers.listed()).toHaveLength(1);
  expect(core.drivers.registry()).toMatchObject({ problem: { code: 'connection_failed' }, origin: 'app' });
});

test('two callers at once share one read of the index, and a fresh index is not read again', async () => {
  const registry = await servedRegistry();
  registry.serve([publish({}, { key: registry.key })]);
  const { core } = await coreOn(registry);
  await Promise.all([core.drivers.refresh({ signal }), core.drivers.refresh({ signal })]);
  await core.drivers.refresh({ signal });
  expect(registry.requests).toEqual(['/index.json']);
});

test('an index that is signed by another key, older or damaged is refused, and the last good one stays', async () => {
  const registry = await servedRegistry();
  const plugin = publish({}, { key: registry.key });
  registry.serve([plugin], { sequence: 7 });
  const { core } = await coreOn(registry);
  await core.drivers.refresh({ signal });
  const refresh = () => core.drivers.refresh({ signal, force: true });
  registry.serve([], { sequence: 8, signers: [newKey()] });
  await expect(refresh()).rejects.toThrow('The index of the registry is signed by another key');
  registry.serve([], { sequence: 6 });
  await expect(refresh()).rejects.toThrow('The index of the registry (6) is older than one seen before (7)');
  registry.serve([], { sequence: 8 });
  const damaged = registry.files.get('index.json')!.toString().replace('"sequence\\":8', '"sequence\\":9');
  registry.files.set('index.json', Buffer.from(damaged));
  await expect(refresh()).rejects.toThrow('The signature of the registry’s index is wrong');
  registry.files.set('index.json', Buffer.from('<html>'));
  await expect(refresh()).rejects.toThrow('is not an index of Trestle drivers');
  expect(core.drivers.listed()).toHaveLength(1);
});

test('key rotation: once an index signed by the old key names only a new key, the old key is no longer valid', async () => {
  const registry = await servedRegistry();
  const next = newKey();
  registry.serve([], { sequence: 1, keys: [publicKeyOf(next)] });
  const { core } = await coreOn(registry);
  const refresh = () => core.drivers.refresh({ signal, force: true });
  await refresh();
  registry.serve([], { sequence: 2, signers: [next] });
  await refresh();
  registry.serve([], { sequence: 3 });
  await expect(refresh()).rejects.toThrow('signed by another key');
});

test('key rotation: an index that both keys signed takes an app from the old key to the new one', async () => {
  const registry = await servedRegistry();
  const next = newKey();
  registry.serve([publish({}, { key: registry.key })]);
  const { core } = await coreOn(registry);
  await core.drivers.install('plugin', { signal });
  const update = publish({ version: '2.0.0' }, { key: next });
  registry.serve([update], { sequence: 2, signers: [next, registry.key], keys: [publicKeyOf(next)] });
  const refresh = () => core.drivers.refresh({ signal, force: true });
  await refresh();
  // Both keys belong to the app's own registry, so the update has the same owner as the installed driver.
  await core.drivers.install('plugin', { signal });
  expect(core.drivers.get('plugin')?.version).toBe('2.0.0');
  registry.serve([update], { sequence: 3, signers: [next] });
  await refresh();
});

test('a redirect is followed only if it stays within the origin of the registry', async () => {
  const registry = await servedRegistry();
  registry.serve([publish({}, { key: registry.key })]);
  const { core } = await coreOn(registry);
  let target = '/index.json';
  registry.control.misbehave = (request, response) => {
    if (request.url !== '/index.json' || target === '') return false;
    response.writeHead(302, { location: target }).end();
    target = '';
    return true;
  };
  await core.drivers.refresh({ signal });
  target = 'http://localhost:1/index.json';
  await expect(core.drivers.refresh({ signal, force: true })).rejects.toThrow(
    'sent a redirect to another address, http://localhost:1',
  );
});

test('a package whose id belongs to another publisher is refused, from the registry and from a file', async () => {
  const registry = await servedRegistry();
  const [first, second] = [newKey(), newKey()];
  registry.serve([publish({}, { key: first })]);
  const { core, home } = await coreOn(registry);
  const stranger = join(temporaryFolder(), 'x.tgz');
  const { writeFileSync } = await import('node:fs');
  writeFileSync(stranger, gzipSync(tarOf(driverEntries({}, `${workingDriver}// stranger`))));
  await core.drivers.refresh({ signal });
  await expect(core.drivers.installFromFile(stranger, { signal })).rejects.toThrow(
    'the id plugin belongs to Example Publisher in the registry, and this file is not theirs',
  );
  await core.drivers.install('plugin', { signal });
  await core.connections.create(draft);
  registry.serve([publish({ version: '2.0.0' }, { key: second })], { sequence: 2 });
  await core.drivers.refresh({ signal, force: true });
  const taken = 'the id plugin belongs to another publisher';
  await expect(core.drivers.install('plugin', { signal })).rejects.toThrow(taken);
  // The saved connection may have secrets, so the id keeps its owner after the driver is removed.
  await core.drivers.remove('plugin');
  await expect(core.drivers.install('plugin', { signal })).rejects.toThrow(taken);
  await expect(core.drivers.installFromFile(stranger, { signal })).rejects.toThrow(taken);
  expect(readdirSync(join(home, 'plugins'))).toEqual([]);
});

test('an interrupted download continues where it stopped, and a running one can be cancelled', async () => {
  const registry = await servedRegistry();
  const source = `${workingDriver}// ${Array.from({ length: 40_000 }, () => Math.random().toString(36)).join('')}`;
  const plugin = publish({}, { key: registry.key, source });
  registry.serve([plugin]);
  const { core } = await coreOn(registry);
  let cut = true;
  registry.control.misbehave = (request, response) => {
    if (!cut || !request.url?.endsWith('.tgz')) return false;
    cut = false;
    response.writeHead(200, { 'content-length': plugin.bytes.length });
    response.write(plugin.bytes.subarray(0, 100_000), () => setTimeout(() => response.destroy(), 50));
    return true;
  };
  await expect(core.drivers.install('plugin', { signal })).rejects.toMatchObject({
    code: 'connection_failed',
  });
  await core.drivers.install('plugin', { signal });
  expect(registry.requests.at(-1)).toMatch(/\.tgz bytes=\d+-$/);
  await core.drivers.remove('plugin');
  registry.control.misbehave = (request, response) => {
    if (!request.url?.endsWith('.tgz')) return false;
    response.writeHead(200, { 'content-length': plugin.bytes.length }).write(plugin.bytes.subarray(0, 1000));
    return true;
  };
  const installing = core.drivers.install('plugin', { signal });
  core.events.on(() => core.jobs.cancel('install plugin'));
  await expect(installing).rejects.toMatchObject({ code: 'cancelled' });
  expect(core.drivers.list().map(({ id }) => id)).toEqual(['fixture']);
});

test('an update waits until the open connections of the driver are closed, and names them', async () => {
  const registry = await servedRegistry();
  registry.serve([publish({ version: '1.0.0' }, { key: registry.key })]);
  const { core } = await coreOn(registry);
  await core.drivers.install('plugin', { signal });
  const { id } = await core.connections.create(draft);
  await core.sessions.open(accessTo(id));
  registry.serve([publish({ version: '1.1.0' }, { key: registry.key })], { sequence: 2 });
  await core.drivers.refresh({ signal, force: true });
  expect(core.drivers.listed()).toMatchObject([{ installed: '1.0.0', isUpdate: true }]);
  const updating = core.drivers.install('plugin', { signal });
  await expect
    .poll(() => core.jobs.get('install plugin').progress.words)
    .toBe('Waits until “Mine” is closed');
  await core.sessions.close(id);
  expect(await updating).toMatchObject({ manifest: { version: '1.1.0' } });
});

test('an update also waits for the session that a serial driver has for clients', async () => {
  const registry = await servedRegistry();
  registry.serve([publish({ version: '1.0.0', concurrency: 'serial' }, { key: registry.key })]);
  const { core } = await coreOn(registry);
  await core.drivers.install('plugin', { signal });
  const { id } = await core.connections.create(draft);
  await core.data.tables(accessTo(id, client()));
  registry.serve([publish({ version: '1.1.0', concurrency: 'serial' }, { key: registry.key })], {
    sequence: 2,
  });
  await core.drivers.refresh({ signal, force: true });
  const updating = core.drivers.install('plugin', { signal });
  await expect
    .poll(() => core.jobs.get('install plugin'))
    .toMatchObject({ progress: { words: 'Waits until “Mine” is closed' }, detail: { steps: ['wait'] } });
  await core.sessions.close(id);
  expect(await updating).toMatchObject({ manifest: { version: '1.1.0' } });
});

test.each(['parallel', 'serial'] as const)(
  'while a connection of a %s driver is open, a new build of the same version blocks neither a connection test nor a client',
  async (concurrency) => {
    const registry = await servedRegistry();
    registry.serve([publish({ concurrency }, { key: registry.key })]);
    const { core } = await coreOn(registry);
    const { integrity } = await core.drivers.install('plugin', { signal });
    const { id } = await core.connections.create(draft);
    await core.sessions.open(accessTo(id));
    const rebuilt = publish({ concurrency }, { key: registry.key, source: `${workingDriver}// rebuilt` });
    registry.serve([rebuilt], { sequence: 2 });
    await core.drivers.refresh({ signal, force: true });
    const test = (of: { id?: string }) =>
      core.connections.test(draft, { ...of, signal: AbortSignal.timeout(20_000) });
    expect(await test({})).toMatchObject({ ok: true });
    expect(await test({ id })).toMatchObject({ ok: true });
    const reader = { ...accessTo(id, client()), signal: AbortSignal.timeout(20_000) };
    expect(await core.data.tables(reader)).toHaveLength(1);
    const current = () => core.drivers.details().find(({ manifest }) => manifest.id === 'plugin')?.integrity;
    expect(current()).toBe(integrity);
    await core.sessions.close(id);
    expect(await test({})).toMatchObject({ ok: true });
    expect(current()).toBe(rebuilt.entry.integrity);
  },
);

test('if a new version does not load, the previous one stays', async () => {
  const registry = await servedRegistry();
  registry.serve([publish({ version: '1.0.0' }, { key: registry.key })]);
  const { core } = await coreOn(registry);
  await core.drivers.install('plugin', { signal });
  registry.serve(
    [publish({ version: '1.1.0' }, { key: registry.key, source: 'throw new Error("broken")' })],
    {
      sequence: 2,
    },
  );
  await core.drivers.refresh({ signal, force: true });
  await expect(core.drivers.install('plugin', { signal })).rejects.toThrow(
    /^Step "load" refused the driver: /,
  );
  const { id } = await core.connections.create(draft);
  expect(await core.data.tables(accessTo(id))).toHaveLength(1);
  expect(core.drivers.get('plugin')?.version).toBe('1.0.0');
});

test('a driver for another platform or kit is listed with the reason why it cannot be installed', async () => {
  const registry = await servedRegistry();
  const newer = publish({ id: 'newer', name: 'Newer' }, { key: registry.key });
  newer.entry.kit = { from: 2, to: 3 };
  registry.serve([publish({ platforms: ['desktop'] }, { key: registry.key }), newer]);
  const { core } = await testCore({ registry: registry.pinned, platform: 'mobile' });
  await core.drivers.refresh({ signal });
  expect(core.drivers.listed().map(({ unavailable }) => unavailable)).toEqual([
    'Plugin is made for desktop, not for mobile',
    'Newer is made for desktop, not for mobile',
  ]);
  await expect(core.drivers.install('plugin', { signal })).rejects.toThrow('not for mobile');
  const desktop = await coreOn(registry);
  await desktop.core.drivers.refresh({ signal });
  expect(desktop.core.drivers.listed()[1]?.unavailable).toBe(
    'Newer 1.0.0 needs a newer Trestle (driver kit 2; this one has 1)',
  );
});

test('a registry that the user chose is used only after the user confirms its key', async () => {
  const registry = await servedRegistry();
  registry.serve([publish({}, { key: registry.key })]);
  const { core } = await testCore();
  await expect(core.drivers.refresh({ signal })).rejects.toThrow('names no plugin registry');
  expect(() => core.drivers.useRegistry('http://example.com/')).toThrow('is not allowed as a registry');
  core.drivers.useRegistry(registry.address);
  await expect(core.drivers.refresh({ signal })).rejects.toThrow('is not confirmed yet');
  expect(core.drivers.listed()).toEqual([]);
  const { unconfirmed } = core.drivers.registry();
  expect(() => core.drivers.confirmRegistry('0000')).toThrow('No registry key with this fingerprint');
  core.drivers.confirmRegistry(unconfirmed!);
  await core.drivers.refresh({ signal });
  await core.drivers.install('plugin', { signal });
  registry.serve([], { sequence: 2, signers: [newKey()] });
  await expect(core.drivers.refresh({ signal, force: true })).rejects.toThrow('signed by another key');
});

test('if a registry that the user chose changes its key, the new key is used only after the user confirms it', async () => {
  const registry = await servedRegistry();
  registry.serve([publish({}, { key: registry.key })], { sequence: 9 });
  const { core } = await testCore();
  const refresh = () => core.drivers.refresh({ signal, force: true });
  core.drivers.useRegistry(registry.address);
  await expect(refresh()).rejects.toThrow('is not confirmed yet');
  const first = core.drivers.registry().unconfirmed!;
  core.drivers.confirmRegistry(first);
  await refresh();
  const key = newKey();
  registry.serve([publish({ version: '2.0.0' }, { key })], { sequence: 1, signers: [key] });
  await expect(refresh()).rejects.toThrow('signed by another key');
  expect(core.drivers.get('plugin')?.version).toBe('1.0.0');
  const { unconfirmed } = core.drivers.registry();
  expect(() => core.drivers.confirmRegistry(first)).toThrow('This registry key is already trusted');
  // The registry signs with the old key again: no key is left to confirm, and an older index is still refused.
  registry.serve([], { sequence: 8 });
  await expect(refresh()).rejects.toThrow('is older than one seen before (9)');
  expect(core.drivers.registry().unconfirmed).toBeNull();
  expect(() => core.drivers.confirmRegistry(unconfirmed!)).toThrow('No registry key with this fingerprint');
  registry.serve([publish({ version: '2.0.0' }, { key })], { sequence: 1, signers: [key] });
  await expect(refresh()).rejects.toThrow('signed by another key');
  core.drivers.confirmRegistry(unconfirmed!);
  await refresh();
  expect(core.drivers.registry()).toMatchObject({ problem: null, unconfirmed: null });
  expect(core.drivers.get('plugin')?.version).toBe('2.0.0');
  registry.serve([], { sequence: 10 });
  await expect(refresh()).rejects.toThrow('signed by another key');
});

test("no user can confirm another key of the app's own registry", async () => {
  const registry = await servedRegistry();
  const { core } = await coreOn(registry);
  registry.serve([], { signers: [newKey()] });
  await expect(core.drivers.refresh({ signal })).rejects.toThrow('signed by another key');
  expect(core.drivers.registry().unconfirmed).toBeNull();
  core.drivers.useRegistry(registry.address);
  await expect(core.drivers.refresh({ signal })).rejects.toThrow('is not confirmed yet');
  core.drivers.confirmRegistry(core.drivers.registry().unconfirmed!);
  core.drivers.useRegistry(null);
  await expect(core.drivers.refresh({ signal })).rejects.toThrow('signed by another key');
});

test('a driver for a later kit may name platforms that this app does not know, or none', async () => {
  const registry = await servedRegistry();
  const later = (id: string, platforms: string[]) => {
    const plugin = publish({ id, name: id, platforms: platforms as never }, { key: registry.key });
    plugin.entry.kit = { from: 2, to: 2 };
    return plugin;
  };
  registry.serve([
    ...[publish({}, { key: registry.key }), later('both', ['desktop', 'web'])],
    ...[later('other', ['web']), later('none', [])],
  ]);
  const { core } = await coreOn(registry);
  await core.drivers.refresh({ signal });
  const reasons = core.drivers.listed().map(({ manifest, unavailable }) => [manifest.id, unavailable]);
  expect(Object.fromEntries(reasons)).toEqual({
    plugin: null,
    both: 'both 1.0.0 needs a newer Trestle (driver kit 2; this one has 1)',
    other: 'other is not made for desktop',
    none: 'none is not made for desktop',
  });
});

test('an index of the previous registry that arrives after a change of the address is not used', async () => {
  const [before, after] = [await servedRegistry(), await servedRegistry()];
  before.serve([publish({}, { key: before.key })]);
  after.serve([]);
  const { core } = await coreOn(before);
  const asked = Promise.withResolvers<() => void>();
  before.control.misbehave = (_, response) => {
    asked.resolve(() => response.end(before.files.get('index.json')));
    return true;
  };
  const late = core.drivers.refresh({ signal });
  const answer = await asked.promise;
  core.drivers.useRegistry(after.address);
  const own = core.drivers.refresh({ signal });
  answer();
  await expect(late).rejects.toMatchObject({ code: 'cancelled' });
  await expect(own).rejects.toThrow('is not confirmed yet');
  expect(core.drivers.listed()).toEqual([]);
  core.drivers.confirmRegistry(core.drivers.registry().unconfirmed!);
  await core.drivers.refresh({ signal });
  expect(core.drivers.listed()).toEqual([]);
});

test('the app and the registry’s tools compute the same fingerprint of a key', () => {
  // registry/src/keys.test.ts tests the same key and fingerprint.
  expect(fingerprint('Fhah7V629AtjNaY0/sHLVAIHPwhUW1amiIsp8ol43MA=')).toBe(
    '4597 71c2 273e ee8c 00a0 29f7 a01b ae97',
  );
});
