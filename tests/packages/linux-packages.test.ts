import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { extract } from 'tar';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  begin,
  browseSamples,
  command,
  emptyFolder,
  isInstalled,
  makePackages,
  plainPath,
  runPackage,
  version,
} from './packages.ts';

const architecture = process.arch === 'arm64' ? 'arm64' : 'x64';
const debian = architecture === 'x64' ? 'amd64' : 'arm64';

describe.runIf(process.platform === 'linux')('the packages for this Linux', () => {
  let made: Awaited<ReturnType<typeof makePackages>>;
  let work: string;
  beforeAll(async () => {
    work = realpathSync(emptyFolder('linux-packages'));
    made = await makePackages([`deb-${debian}`, `tarball-${architecture}`]);
  }, 300_000);
  afterAll(() => {
    made?.close();
    rmSync(work, { recursive: true, force: true });
  });

  const homeOf = (name: string) => {
    const home = join(work, `home-${name}`);
    mkdirSync(home);
    return { HOME: home, PATH: plainPath };
  };

  test('the tarball runs where it is unpacked; install adds a menu entry and a link in ~/.local/bin, and uninstall removes both', async () => {
    const env = homeOf('tarball');
    await extract({ file: join(made.out, `trestle-${version}-linux-${architecture}.tar.gz`), cwd: env.HOME });
    const folder = join(env.HOME, `trestle-${version}-linux-${architecture}`);
    const trestle = join(folder, 'bin', 'trestle');
    onTestFinished(async () => void (await command(trestle, ['stop'], env)));
    const { planets, inventions } = await browseSamples({ command: join(folder, 'bin', 'trestle-mcp') }, env);
    expect(planets).toContain('Mercury');
    expect(inventions).toMatch(/telephone/i);
    await command(trestle, ['install'], env);
    const entry = join(env.HOME, '.local', 'share', 'applications', 'trestle.desktop');
    expect(readFileSync(entry, 'utf8')).toContain(`Exec="${trestle}" %u`);
    const linked = join(env.HOME, '.local', 'bin', 'trestle');
    expect((await command(linked, ['--version'], env)).stdout.trim()).toBe(version);
    const { stdout } = await command(trestle, ['uninstall'], env);
    expect(stdout).toMatch(/Trestle has stopped[\s\S]*stay in /);
    expect([existsSync(entry), existsSync(linked)]).toEqual([false, false]);
  });

  test.runIf(isInstalled('dpkg'))(
    'the Debian package installs into an empty root; an upgrade keeps the connections; a removal stops the app',
    async () => {
      const system = join(work, 'system');
      mkdirSync(join(system, 'var', 'lib', 'dpkg', 'updates'), { recursive: true });
      mkdirSync(join(system, 'var', 'lib', 'dpkg', 'info'));
      writeFileSync(join(system, 'var', 'lib', 'dpkg', 'status'), '');
      // In an empty root, the libraries that the package needs are no packages, and there is no shell for a script.
      const options = [
        `--root=${system}`,
        '--force-depends',
        '--force-not-root',
        '--force-script-chrootless',
      ];
      const dpkg = (...args: string[]) =>
        execFileSync('dpkg', [...options, ...args], {
          encoding: 'utf8',
          stdio: 'pipe',
          env: { PATH: `${plainPath}:/usr/sbin:/sbin` },
        });
      const deb = (folder: string) => join(folder, `trestle_0.1.0~development_${debian}.deb`);
      const env = homeOf('deb');
      const trestle = join(system, 'usr', 'bin', 'trestle');
      const bridge = join(system, 'usr', 'bin', 'trestle-mcp');
      dpkg('--install', deb(made.out));
      onTestFinished(async () => {
        if (existsSync(trestle)) await command(trestle, ['stop'], env);
      });
      for (const program of [trestle, bridge]) {
        expect((await command(program, ['--version'], env)).stdout.trim()).toBe(version);
      }
      const { planets, inventions } = await browseSamples({ command: bridge }, env);
      expect(planets).toContain('Mercury');
      expect(inventions).toMatch(/telephone/i);
      const file = join(work, 'kept.db');
      writeFileSync(file, '');
      const add = ['connections', 'add', '--driver', 'sqlite', '--name', 'Kept', '--file', file];
      await command(trestle, add, env);
      const list = async () =>
        JSON.parse((await command(trestle, ['connections', 'list', '--json'], env)).stdout);
      const before = await list();

      // Installs a build with other bytes over the first build, whose app still runs.
      const other = emptyFolder('packages-other');
      onTestFinished(() => rmSync(other, { recursive: true, force: true }));
      await runPackage(other, `${made.registry}other/`, [`deb-${debian}`]);
      dpkg('--install', deb(other));
      const updated = /Trestle was updated\. Stopping the earlier build[\s\S]*Trestle is running/;
      await begin(trestle, ['start', '--no-window'], env, updated);
      expect(await list()).toEqual(before);
      expect(before.map(({ name }: { name: string }) => name)).toContain('Kept');

      const running = /process (\d+)/.exec((await command(trestle, ['status'], env)).stdout)![1]!;
      dpkg('--purge', 'trestle');
      await expect.poll(() => existsSync(`/proc/${running}/exe`)).toBe(false);
      expect(existsSync(join(system, 'usr', 'lib', 'trestle'))).toBe(false);
      expect(existsSync(trestle)).toBe(false);
      expect(existsSync(join(env.HOME, '.local', 'share', 'trestle'))).toBe(true);
    },
  );
});
