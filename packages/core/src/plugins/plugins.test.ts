import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startKillableProgram } from '../testing/killable-program.ts';
import { accessTo, fixtureDraft, hostEntry, temporaryFolder, testCore } from '../testing/test-core.ts';
import { driverEntries, packageOf, workingDriver } from './testing/driver-package.ts';

const signal = new AbortController().signal;
const packaged = (version: string) => packageOf(driverEntries({ version }, `${workingDriver}// ${version}`));
const draft = { ...fixtureDraft, name: 'Mine', driver: 'plugin' };

async function coreWith(...versions: string[]) {
  const made = await testCore();
  for (const version of versions) await made.core.drivers.installFromFile(packaged(version), { signal });
  const folder = join(made.home, 'plugins');
  const content = () =>
    readdirSync(folder).flatMap((name) => readdirSync(join(folder, name)).map((sub) => `${name}/${sub}`));
  const restart = async () => {
    await made.core.close();
    return testCore({ home: made.home });
  };
  return { ...made, folder, content, restart };
}

const versionIn = (core: Awaited<ReturnType<typeof testCore>>['core']) => core.drivers.get('plugin')?.version;

test('an installed driver connects, and is there after a restart', async () => {
  const { core, folder, restart } = await coreWith('1.2.0');
  const { id } = await core.connections.create(draft);
  const tables = await core.data.tables(accessTo(id));
  expect(tables).toEqual([{ name: join(folder, 'plugin', '1.2.0'), kind: 'table' }]);
  const before = core.drivers.details();
  const { core: again } = await restart();
  expect(again.drivers.details().map(({ manifest, integrity }) => [manifest.id, integrity])).toEqual(
    before.map(({ manifest, integrity }) => [manifest.id, integrity]),
  );
  expect(await again.data.tables(accessTo(id))).toEqual(tables);
});

test('newer, older and rebuilt versions each replace the previous one', async () => {
  const { core, content, restart } = await coreWith('1.2.0');
  for (const version of ['1.10.0', '1.9.0', '1.9.0']) {
    await core.drivers.installFromFile(packaged(version), { signal });
    expect([versionIn(core), content()]).toEqual([version, [`plugin/${version}`]]);
  }
  const rebuilt = packageOf(driverEntries({ version: '1.9.0' }, `${workingDriver}// rebuilt`));
  const { integrity } = await core.drivers.installFromFile(rebuilt, { signal });
  const { core: again } = await restart();
  expect(again.drivers.details().at(-1)).toMatchObject({ integrity, manifest: { version: '1.9.0' } });
});

test('a driver in use is neither replaced nor removed, and the error names its connections', async () => {
  const { core, content } = await coreWith('1.0.0');
  const { id } = await core.connections.create(draft);
  await core.sessions.open(accessTo(id));
  const details = { code: 'conflict', hint: 'Disconnect and try again.' };
  const use = 'Plugin 1.0.0 is in use by "Mine"';
  await expect(core.drivers.installFromFile(packaged('1.1.0'), { signal })).rejects.toMatchObject({
    ...details,
    message: `Step "manifest" refused the driver: ${use}`,
  });
  await expect(core.drivers.remove('plugin')).rejects.toMatchObject({ ...details, message: use });
  expect(content()).toEqual(['plugin/1.0.0']);
  await core.sessions.close(id);
  await core.drivers.installFromFile(packaged('1.1.0'), { signal });
  expect((await core.data.tables(accessTo(id)))[0]?.name).toMatch(/1\.1\.0$/);
});

test('if a connection opens during the load step of an update, the old version stays', async () => {
  const { core, content } = await coreWith('1.0.0');
  const { id } = await core.connections.create(draft);
  let opened: Promise<unknown> | undefined;
  const installing = core.drivers.installFromFile(packaged('1.1.0'), {
    signal,
    onStep: (step) => {
      if (step === 'load') opened = core.sessions.open(accessTo(id));
    },
  });
  await expect(installing).rejects.toMatchObject({
    message: 'Step "install" refused the driver: Plugin 1.0.0 is in use by "Mine"',
  });
  await opened;
  expect([versionIn(core), content()]).toEqual(['1.0.0', ['plugin/1.0.0']]);
});

test('a removed driver is gone; its connections stay and report that it is missing', async () => {
  const { core, folder, events, restart } = await coreWith('1.0.0');
  const { id } = await core.connections.create(draft);
  await core.drivers.remove('plugin');
  expect(events.at(-1)).toEqual({ type: 'driversChanged' });
  expect(readdirSync(folder)).toEqual([]);
  const missing = { code: 'driver_missing', message: 'The driver plugin is not installed' };
  await expect(core.data.tables(accessTo(id))).rejects.toMatchObject(missing);
  await expect(core.drivers.remove('plugin')).rejects.toMatchObject(missing);
  await expect(core.drivers.remove('../../home')).rejects.toMatchObject({ code: 'driver_missing' });
  await expect(core.drivers.remove('fixture')).rejects.toMatchObject({ code: 'unsupported' });
  const { core: again } = await restart();
  expect(again.connections.get(id)?.name).toBe('Mine');
  await again.drivers.installFromFile(packaged('1.0.0'), { signal });
  expect(await again.data.tables(accessTo(id))).toHaveLength(1);
});

test('two concurrent installs both succeed, one after the other', async () => {
  const { core, content } = await coreWith();
  await Promise.all(['1.0.0', '2.0.0'].map((v) => core.drivers.installFromFile(packaged(v), { signal })));
  expect([versionIn(core), content()]).toEqual(['2.0.0', ['plugin/2.0.0']]);
});

test('a start uses the newest usable version, and removes older versions and leftovers', async () => {
  const { folder, content, restart, home } = await coreWith('1.9.0');
  const other = await coreWith('1.10.0');
  renameSync(join(other.folder, 'plugin', '1.10.0'), join(folder, 'plugin', '1.10.0'));
  for (const stale of ['.incoming-abc', '.removed-x/plugin', '.replaced-plugin@1.0.0']) {
    mkdirSync(join(folder, stale), { recursive: true });
  }
  mkdirSync(join(folder, 'plugin', '2.0.0'));
  writeFileSync(join(folder, 'notes.txt'), 'kept');
  const { core, logged } = await restart();
  expect(versionIn(core)).toBe('1.10.0');
  expect(logged.join()).toMatch(/2\.0\.0.*manifest\.json cannot be read/);
  rmSync(join(folder, 'notes.txt'));
  expect(content()).toEqual(['plugin/1.10.0', 'plugin/2.0.0']);
  expect(existsSync(home)).toBe(true);
});

test('a start restores a replaced version if the new version is missing', async () => {
  const { folder, restart } = await coreWith('1.0.0');
  renameSync(join(folder, 'plugin', '1.0.0'), join(folder, '.replaced-plugin@1.0.0'));
  const { core } = await restart();
  expect(versionIn(core)).toBe('1.0.0');
  expect(readdirSync(folder)).toEqual(['plugin']);
});

test('a removed driver is not restored from a replaced version', async () => {
  const { core, folder, restart } = await coreWith('1.0.0');
  cpSync(join(folder, 'plugin', '1.0.0'), join(folder, '.replaced-plugin@0.9.0'), { recursive: true });
  await core.drivers.remove('plugin');
  expect(readdirSync(folder)).toEqual([]);
  const again = await restart();
  expect(again.core.drivers.list().map(({ id }) => id)).not.toContain('plugin');
});

test('a version that cannot be restored is logged, and the other drivers load', async () => {
  const { folder, restart } = await coreWith('1.0.0');
  mkdirSync(join(folder, '.replaced-other@1.0.0'));
  writeFileSync(join(folder, 'other'), 'a file in the place of the folder');
  const { core, logged } = await restart();
  expect(versionIn(core)).toBe('1.0.0');
  expect(logged.join()).toContain('A driver could not be restored');
});

test.each([
  ['a link to a file', (path: string) => symlinkSync('/etc/hosts', join(path, 'hosts'))],
  [
    'a link in a folder',
    (path: string) => {
      mkdirSync(join(path, 'sub'));
      symlinkSync('/etc', join(path, 'sub', 'etc'));
    },
  ],
  ['a version folder that is a link', (path: string) => moveBehindLink(path)],
  ['a driver folder that is a link', (path: string) => moveBehindLink(join(path, '..'))],
  ['a plugin folder that is a link', (path: string) => moveBehindLink(join(path, '..', '..'))],
  [
    'another id in the manifest',
    (path: string) => renameSync(join(path, '..'), join(path, '..', '..', 'other')),
  ],
])('a start leaves out the driver because of %s', async (_name, spoil) => {
  const { folder, restart } = await coreWith('1.0.0');
  spoil(join(folder, 'plugin', '1.0.0'));
  const { core, logged } = await restart();
  expect(core.drivers.list().map(({ id }) => id)).toEqual(['fixture']);
  expect(logged.some((line) => JSON.parse(line).level === 50)).toBe(true);
});

test('if the plugin folder is a link, nothing is installed', async () => {
  const { core, home } = await testCore();
  const elsewhere = temporaryFolder();
  symlinkSync(elsewhere, join(home, 'plugins'));
  await expect(core.drivers.installFromFile(packaged('1.0.0'), { signal })).rejects.toMatchObject({
    message: expect.stringMatching(/^Step "unpack" refused the driver: .* it is not a folder$/),
    hint: undefined,
  });
  expect(readdirSync(elsewhere)).toEqual([]);
});

test('if the app is killed during an install, the next start has the old driver or the new one', async () => {
  const { core, home, folder } = await coreWith('1.0.0');
  await core.close();
  const paths = [packaged('1.0.0'), packaged('2.0.0')];
  const program = `
    import { createCore } from ${JSON.stringify(join(import.meta.dirname, '..', 'core.ts'))};
    const core = await createCore(${JSON.stringify({ home, hostEntry, bundledDrivers: [], secretStore: 'file' })});
    const signal = new AbortController().signal;
    for (let n = 0; ; n++) {
      await core.drivers.installFromFile(${JSON.stringify(paths)}[n % 2], {
        signal, onStep: (step) => process.stdout.write(n + ' ' + step + '\\n'),
      });
    }`;
  for (let round = 0; round < 12; round++) {
    const child = startKillableProgram(program);
    const exited = once(child, 'exit');
    let lines = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      lines += chunk.toString().split('\n').length - 1;
      if (lines >= 3 + round) child.kill('SIGKILL');
    });
    await exited;
    const { core: again } = await testCore({ home });
    expect(['1.0.0', '2.0.0']).toContain(versionIn(again));
    expect(readdirSync(folder)).toEqual(['plugin']);
    const { id } = await again.connections.create({ ...draft, name: `Mine ${round}` });
    expect((await again.data.tables(accessTo(id)))[0]?.name).toContain(folder);
    await again.close();
  }
});

function moveBehindLink(path: string): void {
  const moved = join(temporaryFolder(), 'moved');
  renameSync(path, moved);
  symlinkSync(moved, path);
}
