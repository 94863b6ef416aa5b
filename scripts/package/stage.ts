import {
  chmodSync,
  copyFileSync,
  cpSync,
  linkSync,
  mkdirSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { PackageKind } from '../../apps/desktop/src/edition.ts';
import { dist, root } from '../stale.mjs';
import { type Platform, packageFolder, platforms } from './platforms.ts';
import type { Release } from './release.ts';

/**
 * The parts of `dist` that run on a user's machine. The Weaviate driver is not among them: it comes from the
 * registry.
 */
const bundles = /^(trestle\.js|trestle-chunk-.*\.js|trestle-mcp\.cjs|driver-host\.js|driver-check\.js)$/;
const folders = ['driver-template', 'drivers', 'sample', 'ui'];

/** An empty folder for building a package. */
export function emptyStage(name: string): string {
  const folder = join(dist, '.packages', name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** The app itself. It is the same in all packages except for `edition.json`. */
export function stageApp(folder: string, release: Release, kind: PackageKind): void {
  const place = join(folder, 'dist');
  mkdirSync(place, { recursive: true });
  for (const file of readdirSync(dist).filter((name) => bundles.test(name))) {
    copyFileSync(join(dist, file), join(place, file));
  }
  for (const name of folders) cpSync(join(dist, name), join(place, name), { recursive: true });
  const { version, commit, registry } = release;
  const edition = { platform: 'desktop', package: kind, version, commit, registry };
  write(join(place, 'edition.json'), `${JSON.stringify(edition, null, 2)}\n`);
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
}

/** The pinned Node, unmodified, and the keychain module with its binary. */
export async function stageRuntime(
  { node, modules }: { node: string; modules: string },
  platform: Platform,
): Promise<void> {
  const { node: name, binary, keyring } = platforms[platform];
  mkdirSync(dirname(node), { recursive: true });
  place(join(await packageFolder(name), binary), node, 0o755);
  for (const one of ['@napi-rs/keyring', keyring]) {
    const from = await packageFolder(one);
    const files = readdirSync(from).filter((file) =>
      /^(index\.js|package\.json|.*\.node|LICENSE)$/.test(file),
    );
    mkdirSync(join(modules, one), { recursive: true });
    for (const file of files) place(join(from, file), join(modules, one, file), 0o644);
  }
}

export function stageLaunchers(folder: string, names: string[]): void {
  mkdirSync(join(folder, 'bin'), { recursive: true });
  for (const name of names) place(join(root, 'bin', name), join(folder, 'bin', name), 0o755);
}

export function write(path: string, content: string | Buffer, mode = 0o644): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  chmodSync(path, mode);
}

/** Node is 150 MB and goes into most packages, so it is a hard link if the disk supports hard links. */
function place(from: string, to: string, mode: number): void {
  if (mode === 0o755 && from.includes('.cache')) {
    try {
      linkSync(from, to);
      chmodSync(to, mode);
      return;
    } catch {
      // `to` is on another disk, or the disk has no hard links.
    }
  }
  copyFileSync(from, to);
  chmodSync(to, mode);
}
