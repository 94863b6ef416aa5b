import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../stale.mjs';
import { writeZip } from './archives.ts';
import type { Platform } from './platforms.ts';
import type { Release } from './release.ts';
import { emptyStage, stageApp, stageLaunchers, stageRuntime, write } from './stage.ts';
import { stageThirdParty } from './third-party.ts';
import { stageWindows } from './windows.ts';

/** A bundle for desktop chat clients, which unpack it and start its bridge. It contains the whole app. */
export async function packMcpb(release: Release, platform: Platform): Promise<string[]> {
  const stage = emptyStage(`mcpb-${platform}`);
  const isWindows = platform === 'win32-x64';
  if (isWindows) await stageWindows(stage, release, 'mcpb');
  else {
    stageApp(stage, release, 'mcpb');
    stageThirdParty(stage);
    stageLaunchers(stage, ['trestle', 'trestle-mcp']);
    const place = { node: join(stage, 'runtime', 'node'), modules: join(stage, 'node_modules') };
    await stageRuntime(place, platform);
  }
  copyFileSync(join(root, 'scripts', 'package', 'macos', 'icon.png'), join(stage, 'icon.png'));
  const program = isWindows ? 'trestle-mcp.exe' : 'bin/trestle-mcp';
  write(join(stage, 'manifest.json'), `${JSON.stringify(manifest(release, platform, program), null, 2)}\n`);
  const name = `trestle-${release.version}-${platform}.mcpb`;
  await writeZip(join(release.out, name), stage, { time: release.time });
  return [name];
}

function manifest({ version }: Release, platform: Platform, program: string): Record<string, unknown> {
  return {
    manifest_version: '0.3',
    name: 'trestle',
    display_name: 'Trestle',
    version,
    description: 'Browse, search and change your vector databases (Weaviate) and SQLite files.',
    long_description:
      'Trestle runs on this machine and keeps your connections and their secrets. A client sees only the connections that you share with it, and runs no statement that destroys data. To open the window of Trestle, ask the client to show a table in it.',
    author: { name: 'Trestle' },
    license: 'Apache-2.0',
    icon: 'icon.png',
    server: {
      type: 'binary',
      entry_point: program,
      // The client replaces __dirname with the folder of the unpacked bundle.
      mcp_config: { command: `\${__dirname}/${program}`, args: [], env: {} },
    },
    // The tools depend on the client's rights, so the client must ask the bridge for the list of tools.
    tools_generated: true,
    compatibility: { platforms: [platform.split('-')[0]] },
  };
}
