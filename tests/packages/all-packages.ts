import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { parse as parsePlist } from 'plist';
import { extract } from 'tar';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openPromise } from 'yauzl';
import {
  begin,
  browseSamples,
  command,
  emptyFolder,
  isInstalled,
  makePackages,
  plainPath,
  root,
  version,
} from './packages.ts';

/** Unpacks a zip into a folder. Returns the mode of each entry. */
async function unzip(file: string, folder: string): Promise<Map<string, number>> {
  const modes = new Map<string, number>();
  const zip = await openPromise(file);
  for await (const entry of zip.eachEntry()) {
    const mode = (entry.externalFileAttributes >>> 16) & 0o777;
    modes.set(entry.fileName, mode);
    if (entry.fileName.endsWith('/')) continue;
    const path = join(folder, entry.fileName);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, await buffer(await zip.openReadStreamPromise(entry)));
    chmodSync(path, mode);
  }
  return modes;
}

/** Tests the packages for Linux, macOS and Windows, about a gigabyte. `npm run proofs -- packages` runs these tests. */
export function describeAllPackages(): void {
  describe('the packages for each platform', () => {
    let made: Awaited<ReturnType<typeof makePackages>>;
    let work: string;
    beforeAll(async () => {
      work = emptyFolder('all-packages');
      made = await makePackages([
        'deb-amd64',
        'deb-arm64',
        'tarball-x64',
        'tarball-arm64',
        'macos-arm64',
        'macos-x64',
        'windows',
        'mcpb-linux-x64',
        'mcpb-darwin-arm64',
        'mcpb-win32-x64',
      ]);
    }, 1_800_000);
    afterAll(() => {
      made?.close();
      rmSync(work, { recursive: true, force: true });
    });

    const homeOf = (name: string) => {
      const home = join(work, `home-${name}`);
      mkdirSync(home);
      return { HOME: home, PATH: plainPath };
    };

    test.each([
      ['x64', 'x86-64', 'amd64'],
      ['arm64', 'ARM aarch64', 'arm64'],
    ])(
      'the Node in the %s tarball is for that architecture, and there is a Debian package for it',
      async (architecture, _, debian) => {
        const name = `trestle-${version}-linux-${architecture}`;
        const folder = join(work, `linux-${architecture}`);
        mkdirSync(folder);
        await extract({ file: join(made.out, `${name}.tar.gz`), cwd: folder });
        const elf = readFileSync(join(folder, name, 'runtime', 'node'));
        const machines = { x64: 0x3e, arm64: 0xb7 };
        expect(elf.subarray(0, 4).toString('latin1')).toBe('\x7fELF');
        expect(elf.readUInt16LE(18)).toBe(machines[architecture as 'x64' | 'arm64']);
        const deb = join(made.out, `trestle_0.1.0~development_${debian}.deb`);
        expect(readFileSync(deb).subarray(0, 8).toString()).toBe('!<arch>\n');
      },
    );

    test.runIf(process.getuid?.() === 0 && ['dpkg', 'xvfb-run', 'xdg-open'].every(isInstalled))(
      'after the Debian package is installed, a trestle:// link starts the app',
      async () => {
        const env = homeOf('deb');
        const dpkg = (...args: string[]) => execFileSync('dpkg', args, { encoding: 'utf8' });
        onTestFinished(() => void dpkg('--purge', 'trestle'));
        dpkg('--install', join(made.out, 'trestle_0.1.0~development_amd64.deb'));
        // Without a desktop, xdg-open waits for the program that it starts.
        const opened = ['-a', 'xdg-open', 'trestle://integrations/start-mcp'];
        await begin('xvfb-run', opened, env, /Trestle is running/);
        expect((await command('trestle', ['status'], env)).stdout).toMatch(/is running \(process/);
        await command('trestle', ['stop'], env);
      },
      600_000,
    );

    test.each([
      ['arm64', 0x0100000c],
      ['x64', 0x01000007],
    ] as const)(
      'Trestle.app for %s has its programs, its helper app for trestle:// links, and the right Node',
      async (cpu, type) => {
        const folder = join(work, `macos-${cpu}`);
        const modes = await unzip(join(made.out, `Trestle-${version}-macos-${cpu}.zip`), folder);
        const contents = join(folder, 'Trestle.app', 'Contents');
        const info = parsePlist(readFileSync(join(contents, 'Info.plist'), 'utf8'));
        expect(info).toMatchObject({
          CFBundleExecutable: 'trestle',
          LSUIElement: true,
          CFBundlePackageType: 'APPL',
        });
        const link = join('Library', 'LoginItems', 'Trestle Link.app', 'Contents');
        expect(parsePlist(readFileSync(join(contents, link, 'Info.plist'), 'utf8'))).toMatchObject({
          LSBackgroundOnly: true,
          CFBundleExecutable: 'trestle-link',
          CFBundleURLTypes: [{ CFBundleURLSchemes: ['trestle'] }],
        });
        for (const program of [
          'MacOS/trestle',
          'MacOS/trestle-mcp',
          'Helpers/node',
          `${link}/MacOS/trestle-link`,
        ]) {
          expect([program, modes.get(`Trestle.app/Contents/${program}`)]).toEqual([program, 0o755]);
        }
        const node = readFileSync(join(contents, 'Helpers', 'node'));
        expect([node.readUInt32LE(0), node.readUInt32LE(4)]).toEqual([0xfeedfacf, type]);
        const modules = readdirSync(join(contents, 'Resources', 'node_modules', '@napi-rs'));
        expect(modules).toEqual(['keyring', `keyring-darwin-${cpu}`]);
        // The launchers are shell scripts. With this machine's Node in place of theirs, they run here.
        rmSync(join(contents, 'Helpers', 'node'));
        execFileSync('ln', ['-s', process.execPath, join(contents, 'Helpers', 'node')]);
        const { stdout } = await command(
          join(contents, 'MacOS', 'trestle'),
          ['--version'],
          homeOf(`macos-${cpu}`),
        );
        expect(stdout.trim()).toBe(version);
      },
    );

    test('each Windows program is an x64 executable that contains its launcher script; the package has a Node for x64', async () => {
      const folder = join(work, 'windows');
      await unzip(join(made.out, `Trestle-${version}-windows-x64.zip`), folder);
      const place = join(folder, `Trestle-${version}-windows-x64`);
      const machineOf = (file: string) => {
        const bytes = readFileSync(file);
        expect(bytes.subarray(0, 2).toString()).toBe('MZ');
        return bytes.readUInt16LE(bytes.readUInt32LE(0x3c) + 4);
      };
      expect(machineOf(join(place, 'runtime', 'node.exe'))).toBe(0x8664);
      for (const [program, script] of [
        ['trestle.exe', 'trestle.js'],
        ['trestle-mcp.exe', 'trestle-mcp.cjs'],
      ]) {
        expect(machineOf(join(place, program!))).toBe(0x8664);
        const bytes = readFileSync(join(place, program!));
        expect(bytes.includes('NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2:1')).toBe(true);
        const main = readFileSync(
          join(root, 'scripts', 'package', 'windows', program!.replace('.exe', '.cjs')),
        );
        expect([program, bytes.includes(main), main.includes(script!)]).toEqual([program, true, true]);
        expect(existsSync(join(place, 'dist', script!))).toBe(true);
      }
    });

    test('the bundle for chat clients runs unpacked in an empty home, and its manifest is valid', async () => {
      const env = homeOf('mcpb');
      const folder = join(env.HOME, 'bundle');
      await unzip(join(made.out, `trestle-${version}-linux-x64.mcpb`), folder);
      const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the client replaces this placeholder with the folder.
      const bridge = manifest.server.mcp_config.command.replace('${__dirname}', folder);
      onTestFinished(async () => void (await command(join(folder, 'bin', 'trestle'), ['stop'], env)));
      const { planets, inventions } = await browseSamples({ command: bridge }, env);
      expect(planets).toContain('Mercury');
      expect(inventions).toMatch(/telephone/i);
      const validated = execFileSync('npx', ['-y', '@anthropic-ai/mcpb@2.1.2', 'validate', folder], {
        encoding: 'utf8',
      });
      expect(validated).toMatch(/valid/i);
    }, 600_000);
  });
}
