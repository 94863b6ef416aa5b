import { existsSync, realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { quoted } from '../connect/clients.ts';
import { installFolder } from '../install-folder.ts';

/** Puts what the user can type in the place of `trestle`, which is on PATH only where an installer put it there. */
export function asTyped(text: string): string {
  if (!text.includes('`trestle')) return text;
  const command = ownCommand();
  return text.replaceAll(/`trestle(?=[ `])/g, `\`${command}`);
}

export function ownCommand(env = process.env, folder = process.cwd()): string {
  const launcher = join(installFolder(), 'bin', 'trestle');
  if (process.platform === 'win32' || !existsSync(launcher)) return 'trestle';
  const real = realpathSync(launcher);
  const first = (env.PATH ?? '')
    .split(delimiter)
    .map((place) => join(place, 'trestle'))
    .find((path) => existsSync(path));
  if (first && realpathSync(first) === real) return 'trestle';
  return folder === installFolder() ? join('bin', 'trestle') : quoted(launcher);
}
