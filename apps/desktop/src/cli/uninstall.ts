import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { isInNpxCache } from '../client-setup/bridge-command.ts';
import type { AppStatus } from '../control/app-commands.ts';
import { callRunningApp, notRunning } from '../control/client.ts';
import { dataDirectory } from '../data-directory.ts';
import { editionIn } from '../edition.ts';
import { installFolder } from '../install-folder.ts';
import { registrations } from '../update/registrations.ts';
import { parse } from './parse.ts';
import type { CommandContext } from './run-command.ts';
import { untilGone } from './stop.ts';

const help = `Usage: trestle uninstall

Stops this copy of Trestle, undoes what \`trestle install\` did, and says how to remove the rest. Connections, history
and settings stay where they are.`;

export async function execute({ args, dist }: CommandContext): Promise<number> {
  if (!parse(args, help, {})) return 0;
  const root = installFolder(dist);
  await stopThisCopy(root);
  const kind = editionIn(dist)?.package;
  if (kind === 'tarball' || kind === 'windows') {
    for (const { what, remove } of registrations(root)) {
      if (remove()) console.log(`Removed ${what}`);
    }
  }
  console.log(lastStep(kind, root));
  const data = dataDirectory();
  if (existsSync(data)) {
    console.log(
      `Your connections, history and settings stay in ${data}. Delete that folder to remove them too.`,
    );
  }
  return 0;
}

async function stopThisCopy(root: string): Promise<void> {
  const status = (await callRunningApp(dataDirectory(), 'status')) as AppStatus | typeof notRunning;
  if (status === notRunning || status.folder !== root) return;
  await callRunningApp(dataDirectory(), 'stop');
  await untilGone(status.pid);
  console.log('Trestle has stopped.');
}

export function lastStep(kind: string | undefined, root: string): string {
  // In the cache of npx, the program is in FOLDER/node_modules. The user deletes FOLDER.
  if (kind === 'npm' && isInNpxCache(root)) {
    return `Now delete the folder of Trestle in the cache of npx: ${resolve(root, '..', '..')}`;
  }
  const steps: Record<string, string> = {
    npm: 'Now remove the program: npm uninstall -g trestle-mcp',
    deb: 'Now remove the program: sudo apt purge trestle',
    macos: 'Now move Trestle.app to the Trash.',
    mcpb: 'Now remove Trestle in the AI client that installed it.',
  };
  return steps[kind ?? ''] ?? `Now delete the folder ${root}.`;
}
