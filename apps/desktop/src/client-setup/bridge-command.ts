import { existsSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { AppError } from '@trestle/core';

/** How a client starts the bridge. */
export interface BridgeCommand {
  command: string;
  args: string[];
}

/**
 * The command of this installation's bridge, for a client's configuration. The cache of npx may be deleted, so for a
 * bridge in that cache, the command calls npx.
 */
export function bridgeCommand(from = import.meta.dirname, platform = process.platform): BridgeCommand {
  const path = bridgePath(from, platform);
  if (!isInNpxCache(path)) return { command: path, args: [] };
  const npx = ['npx', '-y', 'trestle-mcp'];
  // On Windows npx is a .cmd file, which needs a shell to start.
  const [command, ...args] = platform === 'win32' ? ['cmd', '/c', ...npx] : npx;
  return { command: command!, args };
}

export function isInNpxCache(path: string): boolean {
  return path.split(sep).includes('_npx');
}

/** The command as a person types or reads it. */
export function commandLine({ command, args }: BridgeCommand): string {
  return [command, ...args].map(quoted).join(' ');
}

/** Quotes a word for a shell, if necessary. A Windows path, alone or after `NAME=`, is quoted for a Windows shell. */
export function quoted(path: string): string {
  if (/^[\w@%+=:,./~-]+$/.test(path)) return path;
  return /^(\w+=)?([a-z]:)?\\/i.test(path) ? `"${path}"` : `'${path.replaceAll("'", `'\\''`)}'`;
}

/**
 * The bridge is next to the app's own launcher: in `bin/`, in the `MacOS` folder of a macOS application, or, on Windows,
 * directly in the installation's folder.
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
