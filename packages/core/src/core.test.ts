import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { createCore } from './core.ts';
import { readManifest } from './plugins/load-drivers.ts';
import { fixtureManifest, writeFixtureDriver } from './testing/fixture-driver.ts';
import { accessTo, fixtureDraft, hostEntry, temporaryFolder, testCore } from './testing/test-core.ts';

test('settings have defaults, are checked, kept and told of', async () => {
  const { core, home, events } = await testCore();
  const defaults = {
    theme: 'system',
    mcpEnabled: true,
    mcpPort: 23508,
    statementTimeoutSeconds: 30,
    pageSize: 200,
  };
  expect(core.settings.get()).toEqual(defaults);
  const settings = core.settings.update({ theme: 'dark', pageSize: undefined });
  expect(settings).toEqual({ ...defaults, theme: 'dark' });
  expect(events).toEqual([{ type: 'settingsChanged', settings }]);
  expect(() => core.settings.update({ statementTimeoutSeconds: 301 })).toThrow(
    expect.objectContaining({ code: 'invalid_argument' }),
  );
  await core.close();
  const again = await createCore({ home, hostEntry, bundledDrivers: [], secretStore: 'file' });
  expect(again.settings.get()).toEqual(settings);
  await again.close();
});

test('what the window remembers comes back, and null forgets it', async () => {
  const { core } = await testCore();
  core.uiState.set('tabs', [{ table: 'é' }]);
  expect(core.uiState.get('tabs')).toEqual([{ table: 'é' }]);
  core.uiState.set('tabs', null);
  expect(core.uiState.get('tabs')).toBeUndefined();
});

test('history is searched by words, connection and page, and removed', async () => {
  const { core } = await testCore();
  const one = await core.connections.create(fixtureDraft);
  const two = await core.connections.create(fixtureDraft);
  for (const [{ id }, text] of [
    [one, 'SELECT 100% of_it'],
    [two, 'SELECT Other'],
    [one, 'SELECT 1000 often'],
  ] as const) {
    await core.data.runQuery(accessTo(id), { text, limit: 1 });
  }
  const texts = (query: Partial<Parameters<typeof core.history.search>[0]>) =>
    core.history.search({ limit: 10, ...query }).map(({ text }) => text);
  expect(texts({})).toEqual(['SELECT 1000 often', 'SELECT Other', 'SELECT 100% of_it']);
  expect(texts({ text: '100%' })).toEqual(['SELECT 100% of_it']);
  expect(texts({ text: 'of_' })).toEqual(['SELECT 100% of_it']);
  expect(texts({ text: 'OTHER' })).toEqual(['SELECT Other']);
  expect(texts({ connectionIds: [two.id] })).toEqual(['SELECT Other']);
  expect(texts({ connectionIds: [] })).toEqual([]);
  const [newest] = core.history.search({ limit: 1 });
  expect(texts({ before: newest?.id })).toEqual(['SELECT Other', 'SELECT 100% of_it']);
  core.history.remove(newest?.id ?? '');
  core.history.clear(two.id);
  expect(texts({})).toEqual(['SELECT 100% of_it']);
});

test.each([
  ['driver kit 2, and this app has 1', { kit: 2, somethingNew: true }],
  ['its manifest is not valid', { fields: 5 }],
  ['its file other.js is missing', { entry: 'other.js' }],
])('a driver is not loaded: %s', (words, changes) => {
  const { directory } = writeFixtureDriver(temporaryFolder());
  writeFileSync(join(directory, 'manifest.json'), JSON.stringify({ ...fixtureManifest, ...changes }));
  expect(() => readManifest(directory)).toThrow(words);
});

test('a driver that cannot be loaded leaves the others', async () => {
  const folder = temporaryFolder();
  const good = writeFixtureDriver(join(folder, 'good')).directory;
  const core = await createCore({
    home: join(folder, 'home'),
    hostEntry,
    bundledDrivers: [join(folder, 'nothing'), good, good],
    secretStore: 'file',
  });
  expect(core.drivers.list()).toEqual([fixtureManifest]);
  await core.close();
});

test('a listener that throws does not disturb the one who changes', async () => {
  const { core, events } = await testCore();
  core.events.on(() => {
    throw new Error('broken');
  });
  core.settings.update({ theme: 'light' });
  expect(events).toHaveLength(1);
});

test('killed while it writes, everything it had confirmed is there', async () => {
  const home = join(temporaryFolder(), 'home');
  const { directory } = writeFixtureDriver(join(temporaryFolder(), 'fixture'));
  const program = `
    import { createCore } from ${JSON.stringify(join(import.meta.dirname, 'core.ts'))};
    const core = await createCore(${JSON.stringify({ home, hostEntry, bundledDrivers: [directory], secretStore: 'file' })});
    for (let n = 0; ; n++) {
      const { id } = await core.connections.create({ ...${JSON.stringify(fixtureDraft)}, name: 'Number ' + n });
      const { token } = core.tokens.create({ name: 'Number ' + n, permission: 'readOnly', allowlist: null, expiresAt: null });
      process.stdout.write(id + ' ' + token.id + '\\n');
    }`;
  for (let round = 0; round < 3; round++) {
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const confirmed: string[] = [];
    const lines = createInterface(child.stdout);
    lines.on('line', (line) => {
      confirmed.push(line);
      if (confirmed.length === 20 + round * 7) child.kill('SIGKILL');
    });
    await once(lines, 'close');
    const core = await createCore({ home, hostEntry, bundledDrivers: [directory], secretStore: 'file' });
    const [connections, tokens] = [core.connections.list(), core.tokens.list()].map(
      (all) => new Set(all.map(({ id }) => id)),
    );
    for (const line of confirmed) {
      const [connection, token] = line.split(' ');
      expect([connections?.has(connection ?? ''), tokens?.has(token ?? '')]).toEqual([true, true]);
    }
    const last = confirmed.at(-1)?.split(' ')[0] ?? '';
    const [given] = await core.data.tables(accessTo(last));
    expect(given?.comment).toMatch('hunter2-secret');
    await core.close();
  }
});
