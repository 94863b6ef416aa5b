import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { AppError } from '@trestle/core';

/** One registration that `trestle install` makes for this user, and `trestle uninstall` removes. */
interface Registration {
  /** Shown to the user: a path, or a key of the Windows registry. */
  what: string;
  add(): void;
  /** Returns whether the registration was removed. It stays if it belongs to another copy or to the user. */
  remove(): boolean;
}

/**
 * On Linux, a menu entry, an icon, the URL scheme and commands on PATH make an unpacked folder a desktop program. On
 * Windows, only the URL scheme is registered. On macOS, nothing is.
 */
export function registrations(root: string, platform = process.platform): Registration[] {
  if (platform === 'linux') return linuxRegistrations(root);
  if (platform === 'win32') return windowsRegistrations(root);
  return [];
}

function linuxRegistrations(root: string): Registration[] {
  const data = process.env.XDG_DATA_HOME || join(homedir(), '.local', 'share');
  const desktop = join(data, 'applications', 'trestle.desktop');
  const icon = join(data, 'icons', 'hicolor', 'scalable', 'apps', 'trestle.svg');
  const command = `Exec=${desktopQuoted(join(root, 'bin', 'trestle'))}`;
  const isOurEntry = () => readFileSync(desktop, 'utf8').includes(command);
  return [
    ...['trestle', 'trestle-mcp'].map((name) =>
      link(join(homedir(), '.local', 'bin', name), join(root, 'bin', name)),
    ),
    {
      what: icon,
      add: () => {
        mkdirSync(dirname(icon), { recursive: true });
        copyFileSync(join(root, 'share', 'trestle.svg'), icon);
      },
      remove: () => {
        // The menu entry of another copy needs the icon. Our own entry may still exist: it is removed after the icon.
        if (!existsSync(icon) || (existsSync(desktop) && !isOurEntry())) return false;
        rmSync(icon);
        return true;
      },
    },
    {
      what: `${desktop} (menu entry, trestle:// links)`,
      add: () => {
        mkdirSync(dirname(desktop), { recursive: true });
        const text = readFileSync(join(root, 'share', 'trestle.desktop'), 'utf8');
        writeFileSync(
          desktop,
          text.replace('Exec=trestle', () => command),
        );
        refreshMenu(dirname(desktop));
      },
      remove: () => {
        // The entry of another copy stays.
        if (!existsSync(desktop) || !isOurEntry()) return false;
        rmSync(desktop);
        refreshMenu(dirname(desktop));
        return true;
      },
    },
  ];
}

/**
 * Quotes an argument for a desktop entry. A desktop removes one level of backslashes before it reads the quotes, so each
 * backslash is doubled (Desktop Entry Specification, "The Exec key").
 */
function desktopQuoted(path: string): string {
  const quoted = path.replaceAll(/["`$\\]/g, '\\$&').replaceAll('%', '%%');
  return `"${quoted.replaceAll('\\', '\\\\')}"`;
}

/** A failure is ignored: `update-desktop-database` may be missing, and a desktop may read the folder itself. */
function refreshMenu(folder: string): void {
  spawnSync('update-desktop-database', [folder], { stdio: 'ignore' });
}

function link(path: string, target: string): Registration {
  const isOurs = () => lstatSync(path).isSymbolicLink() && readlinkSync(path) === target;
  return {
    what: path,
    add: () => {
      const there = lstatSync(path, { throwIfNoEntry: false });
      if (there && !(there.isSymbolicLink() && leadsToTrestle(path))) {
        throw new AppError({
          code: 'conflict',
          message: `${path} already exists, and \`trestle install\` did not create it`,
          hint: 'Move it away and try again.',
        });
      }
      mkdirSync(dirname(path), { recursive: true });
      rmSync(path, { force: true });
      symlinkSync(target, path);
    },
    remove: () => {
      if (!lstatSync(path, { throwIfNoEntry: false }) || !isOurs()) return false;
      rmSync(path);
      return true;
    },
  };
}

/**
 * True if `trestle install` may have made this link, from this copy, another copy or a deleted copy. Any other link
 * stays: the user or another program made it.
 */
function leadsToTrestle(path: string): boolean {
  const target = resolve(dirname(path), readlinkSync(path));
  const folder = dirname(dirname(target));
  const isNamed = basename(target) === basename(path) && basename(dirname(target)) === 'bin';
  return isNamed && (!existsSync(target) || existsSync(join(folder, 'share', 'trestle.desktop')));
}

const schemeKey = 'HKCU\\Software\\Classes\\trestle';

/** For this user only, so no administrator rights are needed. */
export function windowsRegistrations(root: string, reg = runReg): Registration[] {
  const command = `"${join(root, 'trestle.exe')}" "%1"`;
  return [
    {
      what: `${schemeKey} (trestle:// links)`,
      add: () => {
        reg(['add', schemeKey, '/ve', '/d', 'URL:Trestle', '/f']);
        reg(['add', schemeKey, '/v', 'URL Protocol', '/d', '', '/f']);
        reg(['add', `${schemeKey}\\shell\\open\\command`, '/ve', '/d', command, '/f']);
      },
      remove: () => {
        const found = reg(['query', `${schemeKey}\\shell\\open\\command`, '/ve']);
        if (!found.includes(`"${join(root, 'trestle.exe')}"`)) return false;
        reg(['delete', schemeKey, '/f']);
        return true;
      },
    },
  ];
}

function runReg(args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync('reg', args, { encoding: 'utf8', windowsHide: true });
  if (status === 0) return stdout;
  if (args[0] === 'query') return '';
  throw new Error(`The Windows registry could not be changed: ${error?.message ?? stderr.trim()}`);
}
