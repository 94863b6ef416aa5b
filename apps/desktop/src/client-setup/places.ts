import { homedir } from 'node:os';
import { posix, resolve, win32 } from 'node:path';

/** The facts that determine a client's configuration path. */
export interface Places {
  platform: NodeJS.Platform;
  home: string;
  env: Record<string, string | undefined>;
  /** The project folder, for clients with a file per project. */
  workspace: string;
}

export function thesePlaces(workspace = process.cwd()): Places {
  return { platform: process.platform, home: homedir(), env: process.env, workspace };
}

/**
 * The data directory in `TRESTLE_HOME`, if any. The client's entry must name it, because the client starts the bridge
 * without our environment.
 */
export function homeOf({ env }: Pick<Places, 'env'>): string | undefined {
  return env.TRESTLE_HOME ? resolve(env.TRESTLE_HOME) : undefined;
}

export function joined({ platform }: Pick<Places, 'platform'>, ...parts: string[]): string {
  return (platform === 'win32' ? win32 : posix).join(...parts);
}

/** The settings folder of desktop programs: Electron's `appData`. */
export function settingsFolder(places: Places, ...parts: string[]): string {
  const { platform, home, env } = places;
  if (platform === 'darwin') return joined(places, home, 'Library', 'Application Support', ...parts);
  if (platform === 'win32') {
    return joined(places, env.APPDATA ?? joined(places, home, 'AppData', 'Roaming'), ...parts);
  }
  return joined(places, env.XDG_CONFIG_HOME || joined(places, home, '.config'), ...parts);
}

/** The XDG settings folder. Some programs use it on macOS and Windows too. */
export function xdgFolder(places: Places, ...parts: string[]): string {
  return joined(places, places.env.XDG_CONFIG_HOME || joined(places, places.home, '.config'), ...parts);
}
