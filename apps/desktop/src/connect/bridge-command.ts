import { existsSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { AppError } from '@trestle/core';

/** How a client starts the bridge. */
export interface BridgeCommand {
  command: string;
  args: string[];
}

/**
 * The bridge of this install, as a client's configuration names it. npx keeps its copy in a cache that it clears and
 * renames, so that an entry for it must ask npx again.
 */
export function bridgeCommand(from = import.meta.dirname, platform = process.platform): BridgeCommand {
  const path = bridgePath(from, platform);
  if (!isInNpxCache(path)) return { command: path, args: [] };
  const npx = ['npx', '-y', 'trestle-mcp'];
  // npx is a .cmd file there, which cannot be started without a shell.
  const [command, ...args] = platform === 'win32' ? ['cmd', '/c', ...npx] : npx;
  return { command: command!, args };
}

export function isInNpxCache(path: string): boolean {
  return path.split(sep).includes('_npx');
}

/** As a person types it, or reads it. */
export function commandLine({ command, args }: BridgeCommand): string {
  return [command, ...args].map(quoted).join(' ');
}

/** As a shell takes it for one word. */
export function quoted(path: string): string {
  if (/^[\w@%+=:,./~-]+$/.test(path)) return path;
  return /^([a-z]:)?\\/i.test(path) ? `"${path}"` : `'${path.replaceAll("'", `'\\''`)}'`;
}

/**
 * It stands beside the app's own launcher: in `bin/` above the bundles, in the `MacOS` folder of an application
 * bundle, at the top of the folder for Windows.
 */
function bridgePath(from: string, platform: NodeJS.Platform): string {
  const places =
    platform === 'win32'
      ? ['trestle-mcp.exe', join('bin', 'trestle-mcp.cmd')]
      : [join('bin', 'trestle-mcp'), join('MacOS', 'trestle-mcp')];
  for (let folder = from; ; folder = dirname(folder)) {
    const found = places.map((place) => join(folder, place)).find((path) => existsSync(path));
    if (found) return found;
    if (dirname(folder) === folder) break;
  }
  throw new AppError({
    code: 'not_found',
    message: `The bridge ${basename(places[0]!)} is missing from this install`,
    hint: 'Install Trestle again.',
  });
}
