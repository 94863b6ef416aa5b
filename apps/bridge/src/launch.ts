import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** An app that is starting. `end`: how it exited before it was ready. Undefined while it may still become ready. */
export interface Launch {
  end(): { by: 'itself' | 'signal'; words: string } | undefined;
}

/** Starts the app without a window, detached: the app must outlive the client. */
export async function launchApp(bundleFolder: string, platform = process.platform): Promise<Launch> {
  const { command, args, file } = launcher(bundleFolder, platform);
  // An app that is started through its URL scheme may not get the bridge's environment. Then it would use its default
  // data directory.
  const isElsewhere = process.env.TRESTLE_HOME !== undefined && existsSync(file);
  // On macOS, `open` starts the installed app that has registered the scheme. If no app has
  // registered it, `open` fails, and the launcher next to the bridge starts the app.
  if (platform === 'darwin' && !isElsewhere && (await runs('open', ['-g', startUrl])))
    return { end: () => undefined };
  if (existsSync(file)) return spawnDetached(command, args);
  // If the app is not next to the bridge, `xdg-open` starts the app that has registered the scheme. It is tried
  // last, because it needs a display and clients may not pass DISPLAY on to the bridge.
  if (platform === 'linux' && (await runs('xdg-open', [startUrl]))) return { end: () => undefined };
  throw new Error(`${file} is missing`);
}

const startUrl = 'trestle://integrations/start-mcp';

export function launcher(
  bundleFolder: string,
  platform: NodeJS.Platform,
): { command: string; args: string[]; file: string } {
  const args = ['start', '--no-window'];
  if (platform === 'win32') {
    // A .cmd file needs a shell to start. So the Node that runs the bridge starts the app.
    const file = join(bundleFolder, 'trestle.js');
    // The same flags as in bin/trestle.cmd.
    const flags = ['--disable-sigusr1', '--max-semi-space-size=2'];
    return { command: process.execPath, args: [...flags, file, ...args], file };
  }
  const places = [
    join(bundleFolder, '..', 'bin', 'trestle'),
    join(bundleFolder, '..', '..', 'MacOS', 'trestle'),
  ];
  const file = places.find((path) => existsSync(path)) ?? places[0]!;
  return { command: file, args, file };
}

async function spawnDetached(command: string, args: string[]): Promise<Launch> {
  const { TRESTLE_HOME: home } = process.env;
  const env = {
    ...process.env,
    // Tells the new app that no person started it. Then the new app does not stop a running app of an earlier build,
    // which may have windows open.
    TRESTLE_STARTED_BY: 'bridge',
    // The app runs in another folder, where a relative path would name another data directory.
    ...(home && { TRESTLE_HOME: resolve(home) }),
  };
  const child = spawn(command, args, {
    detached: true,
    stdio: 'ignore',
    cwd: homedir(),
    windowsHide: true,
    env,
  });
  let end: ReturnType<Launch['end']>;
  child.once('exit', (code, signal) => {
    // Exit code 0: the process handed over to a running app.
    if (code === 0) return;
    const words = `${command} ended with ${code ?? signal}; \`trestle start\` in a terminal says why`;
    end = { by: signal ? 'signal' : 'itself', words };
  });
  await new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject));
  child.unref();
  return { end: () => end };
}

/**
 * Whether the URL handler found an app. Some handlers become the app that they start. So a handler that still runs
 * after a second counts as a success, and must outlive the bridge.
 */
async function runs(command: string, args: string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const goesOn = setTimeout(() => resolve(true), 1_000);
    const end = (found: boolean) => {
      clearTimeout(goesOn);
      resolve(found);
    };
    spawn(command, args, { stdio: 'ignore', detached: true })
      .once('error', () => end(false))
      .once('exit', (code) => end(code === 0))
      .unref();
  });
}
