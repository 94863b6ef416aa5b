import { existsSync, realpathSync } from 'node:fs';
import { delimiter, join, sep } from 'node:path';
import { isInNpxCache, quoted } from '../client-setup/bridge-command.ts';
import { installFolder } from '../install-folder.ts';

/**
 * Replaces each command `trestle` after a backquote with a command that the user can type, because `trestle` may not be
 * on PATH.
 */
export function asTyped(text: string, own = ownCommand): string {
  if (!text.includes('`trestle')) return text;
  const command = own();
  return text.replaceAll(/`trestle(?=[ `])/g, () => `\`${command}`);
}

export function ownCommand(env = process.env, folder = process.cwd()): string {
  const home = installFolder();
  if (isInNpxCache(home)) return 'npx -y -p trestle-mcp trestle';
  const launcher = join(home, 'bin', 'trestle');
  if (process.platform === 'win32' || !existsSync(launcher)) return 'trestle';
  const first = (env.PATH ?? '')
    .split(delimiter)
    .map((place) => join(place, 'trestle'))
    .find((path) => existsSync(path));
  if (first && realpathSync(first).startsWith(realpathSync(home) + sep)) return 'trestle';
  return folder === home ? join('bin', 'trestle') : quoted(launcher);
}
