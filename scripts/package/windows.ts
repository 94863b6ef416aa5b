import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../stale.mjs';
import { writeZip } from './archives.ts';
import { packageFolder, platforms } from './platforms.ts';
import type { Release } from './release.ts';
import { emptyStage, stageApp, stageRuntime, write } from './stage.ts';
import { stageThirdParty } from './third-party.ts';

/**
 * A folder with two programs. A client cannot start a `.cmd` file without a shell, so both programs are executables
 * that contain Node. Each program only starts the unmodified `runtime/node.exe` with the right flags.
 */
export async function packWindows(release: Release): Promise<string[]> {
  const stage = emptyStage('windows-x64');
  await stageWindows(stage, release, 'windows');
  const name = `Trestle-${release.version}-windows-x64`;
  await writeZip(join(release.out, `${name}.zip`), stage, { time: release.time, prefix: `${name}/` });
  return [`${name}.zip`];
}

export async function stageWindows(
  folder: string,
  release: Release,
  kind: 'windows' | 'mcpb',
): Promise<void> {
  stageApp(folder, release, kind);
  stageThirdParty(folder);
  const node = join(folder, 'runtime', 'node.exe');
  await stageRuntime({ node, modules: join(folder, 'node_modules') }, 'win32-x64');
  const { node: name, binary } = platforms['win32-x64'];
  const executable = join(await packageFolder(name), binary);
  for (const program of ['trestle', 'trestle-mcp']) {
    const config = join(emptyStage(`sea-${program}`), 'config.json');
    const main = join(root, 'scripts', 'package', 'windows', `${program}.cjs`);
    const output = join(folder, `${program}.exe`);
    write(config, JSON.stringify({ main, output, executable, disableExperimentalSEAWarning: true }));
    execFileSync(process.execPath, ['--build-sea', config], { stdio: ['ignore', 'ignore', 'inherit'] });
  }
}
