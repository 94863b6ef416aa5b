import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from '../stale.mjs';
import { writeTarball } from './archives.ts';
import { writeDeb } from './deb.ts';
import type { Release } from './release.ts';
import { emptyStage, stageApp, stageLaunchers, stageRuntime, write } from './stage.ts';
import { stageThirdParty } from './third-party.ts';

type Architecture = 'x64' | 'arm64';

/** A folder with an app that runs wherever it is unpacked. `trestle install` adds it to the menu and to ~/.local/bin. */
export async function packTarball(release: Release, architecture: Architecture): Promise<string[]> {
  const stage = emptyStage(`tarball-${architecture}`);
  await stageTree(stage, release, architecture, 'tarball');
  const name = `trestle-${release.version}-linux-${architecture}`;
  await writeTarball(join(release.out, `${name}.tar.gz`), stage, { ...release, prefix: name });
  return [`${name}.tar.gz`];
}

/** This package needs no install script: dpkg triggers of the system register the menu entry and the URL scheme. */
export async function packDeb(release: Release, architecture: Architecture): Promise<string[]> {
  const stage = emptyStage(`deb-${architecture}`);
  const place = join(stage, 'usr', 'lib', 'trestle');
  await stageTree(place, release, architecture, 'deb');
  mkdirSync(join(stage, 'usr', 'bin'), { recursive: true });
  for (const name of ['trestle', 'trestle-mcp']) {
    symlinkSync(`../lib/trestle/bin/${name}`, join(stage, 'usr', 'bin', name));
  }
  const share = join(stage, 'usr', 'share');
  const moved = {
    'trestle.desktop': ['applications', 'trestle.desktop'],
    'trestle.svg': ['icons', 'hicolor', 'scalable', 'apps', 'trestle.svg'],
  };
  for (const [from, to] of Object.entries(moved)) {
    mkdirSync(dirname(join(share, ...to)), { recursive: true });
    renameSync(join(place, 'share', from), join(share, ...to));
  }
  rmSync(join(place, 'share'), { recursive: true });
  const docs = join(share, 'doc', 'trestle');
  const changes = readFileSync(join(root, 'CHANGELOG.md'));
  write(join(docs, 'changelog.gz'), gzipSync(changes, { level: 9 }));
  write(join(docs, 'copyright'), `Apache-2.0, see /usr/lib/trestle/LICENSE and THIRD-PARTY.txt beside it.\n`);
  const version = release.version.replace('-', '~');
  const debian = architecture === 'x64' ? 'amd64' : 'arm64';
  const name = `trestle_${version}_${debian}.deb`;
  await writeDeb(join(release.out, name), stage, {
    release,
    control: {
      Package: 'trestle',
      Version: version,
      Architecture: debian,
      Maintainer: 'Trestle <trestle-db@users.noreply.github.com>',
      Section: 'database',
      Priority: 'optional',
      Depends: 'libc6 (>= 2.28), libstdc++6, libatomic1',
      Recommends: 'xdg-utils',
      Description:
        'client for vector databases, and MCP server for AI clients\n Browses, searches and edits Weaviate and SQLite, and lets AI clients use the\n same saved connections safely.',
    },
    scripts: { prerm: readFileSync(join(root, 'scripts', 'package', 'deb', 'prerm'), 'utf8') },
  });
  return [name];
}

async function stageTree(
  folder: string,
  release: Release,
  architecture: Architecture,
  kind: 'deb' | 'tarball',
): Promise<void> {
  stageApp(folder, release, kind);
  stageThirdParty(folder);
  stageLaunchers(folder, ['trestle', 'trestle-mcp']);
  await stageRuntime(
    { node: join(folder, 'runtime', 'node'), modules: join(folder, 'node_modules') },
    `linux-${architecture}`,
  );
  mkdirSync(join(folder, 'share'), { recursive: true });
  copyFileSync(join(root, 'apps', 'ui', 'public', 'icon.svg'), join(folder, 'share', 'trestle.svg'));
  copyFileSync(
    join(root, 'scripts', 'package', 'linux', 'trestle.desktop'),
    join(folder, 'share', 'trestle.desktop'),
  );
}
