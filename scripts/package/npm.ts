import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../stale.mjs';
import { writeTarball } from './archives.ts';
import { locked, platforms } from './platforms.ts';
import type { Release } from './release.ts';
import { emptyStage, stageApp, stageLaunchers, write } from './stage.ts';
import { stageThirdParty } from './third-party.ts';

/**
 * One package with two commands. The package has the name of the bridge command, because npx runs the command that is
 * named like its package. Any Node from 20 on can start a command. The command then runs on the pinned Node, which is
 * an optional dependency for each platform.
 */
export async function packNpm(release: Release): Promise<string[]> {
  const stage = emptyStage('npm');
  stageApp(stage, release, 'npm');
  stageThirdParty(stage);
  stageLaunchers(stage, ['trestle', 'trestle-mcp', 'trestle.cmd', 'trestle-mcp.cmd']);
  for (const file of ['trestle.mjs', 'trestle-mcp.mjs', 'run.mjs']) {
    write(join(stage, 'npm', file), '', 0o755);
    copyFileSync(join(root, 'scripts', 'package', 'npm', file), join(stage, 'npm', file));
  }
  copyFileSync(join(root, 'scripts', 'package', 'npm', 'README.md'), join(stage, 'README.md'));
  write(join(stage, 'package.json'), `${JSON.stringify(packageJson(release), null, 2)}\n`);
  const name = `trestle-mcp-${release.version}.tgz`;
  await writeTarball(join(release.out, name), stage, { ...release, prefix: 'package' });
  return [name];
}

function packageJson({ version }: Release): Record<string, unknown> {
  const pinned = (name: string) => [name, locked(name).version] as const;
  return {
    name: 'trestle-mcp',
    version,
    description: 'A database client for vector databases, and a local MCP server for the same connections.',
    mcpName: 'io.github.trestle-db/trestle-mcp',
    license: 'Apache-2.0',
    keywords: ['mcp', 'weaviate', 'vector-database', 'sqlite', 'database-client'],
    bin: { trestle: 'npm/trestle.mjs', 'trestle-mcp': 'npm/trestle-mcp.mjs' },
    engines: { node: '>=20' },
    os: ['linux', 'darwin', 'win32'],
    dependencies: Object.fromEntries([pinned('@napi-rs/keyring')]),
    optionalDependencies: Object.fromEntries(Object.values(platforms).map(({ node }) => pinned(node))),
  };
}
