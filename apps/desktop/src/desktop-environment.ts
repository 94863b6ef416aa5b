import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';

const displayNames = ['DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY', 'XDG_CURRENT_DESKTOP', 'XDG_SESSION_TYPE'];
const recovered = [...displayNames, 'DBUS_SESSION_BUS_ADDRESS'];

/**
 * Returns variables of the user's graphical login that `env` lacks. AI clients may start programs with little more than
 * HOME and PATH. Without the session bus, the app cannot use the keychain. Without a display, it cannot open a window.
 */
export async function recoverDesktopEnvironment(
  env: NodeJS.ProcessEnv = process.env,
  system: DesktopSystem = thisSystem,
): Promise<Record<string, string>> {
  if (system.platform !== 'linux') return {};
  const runtime = env.XDG_RUNTIME_DIR || `/run/user/${system.uid}`;
  if (!system.exists(runtime)) return {};
  const found: Record<string, string> = {};
  if (!env.XDG_RUNTIME_DIR) found.XDG_RUNTIME_DIR = runtime;
  if (system.exists(`${runtime}/bus`)) found.DBUS_SESSION_BUS_ADDRESS = `unix:path=${runtime}/bus`;
  // Over SSH the user does not see the desktop's screen, so the variables of the screen are not used.
  const wantsDisplay = !hasDisplay(env) && !env.SSH_CONNECTION;
  if (wantsDisplay || !(env.DBUS_SESSION_BUS_ADDRESS ?? found.DBUS_SESSION_BUS_ADDRESS)) {
    const desktop = parseEnvironment(await system.showEnvironment({ ...env, ...found }));
    for (const name of recovered) {
      if (displayNames.includes(name) && !wantsDisplay) continue;
      if (desktop[name]) found[name] = desktop[name];
    }
  }
  return Object.fromEntries(Object.entries(found).filter(([name]) => !env[name]));
}

export function hasDisplay(env: NodeJS.ProcessEnv, platform = process.platform): boolean {
  return platform === 'darwin' || platform === 'win32' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
}

export interface DesktopSystem {
  platform: NodeJS.Platform;
  uid: number;
  exists(path: string): boolean;
  showEnvironment(env: NodeJS.ProcessEnv): Promise<string>;
}

const thisSystem: DesktopSystem = {
  platform: process.platform,
  uid: process.getuid?.() ?? 0,
  exists: existsSync,
  async showEnvironment(env) {
    try {
      const run = promisify(execFile);
      return (await run('systemctl', ['--user', 'show-environment'], { env, timeout: 2000 })).stdout;
    } catch {
      return '';
    }
  },
};

/** Lines of NAME=value. systemd writes a value with special characters as $'…'. */
function parseEnvironment(text: string): Record<string, string> {
  const entries = text
    .split('\n')
    .map((line) => /^(\w+)=(.*)$/.exec(line))
    .filter((match) => match !== null)
    .map(([, name, value]) => [name!, unquote(value!)]);
  return Object.fromEntries(entries);
}

function unquote(value: string): string {
  const quoted = /^\$'(.*)'$/.exec(value);
  return quoted ? quoted[1]!.replaceAll(/\\(.)/g, '$1') : value;
}
