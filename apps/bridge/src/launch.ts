import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** An app that has been told to start; `end` is how it ended before it was there, undefined as long as it may come. */
export interface Launch {
  end(): { by: 'itself' | 'signal'; words: string } | undefined;
}

/** Starts the app without a window and lets go of it: it must outlive the client that wanted it. */
export async function launchApp(bundleFolder: string, platform = process.platform): Promise<Launch> {
  const { command, args, file } = launcher(bundleFolder, platform);
  // An app started through its address does not get our environment: it would look in its usual data directory.
  const isElsewhere = process.env.TRESTLE_HOME !== undefined && existsSync(file);
  // Where no installed app has registered the scheme, as in a checkout, the launcher beside us is the app.
  if (platform === 'darwin' && !isElsewhere && (await runs('open', ['-g', startUrl])))
    return { end: () => undefined };
  if (existsSync(file)) return spawnDetached(command, args);
  // A copy of the bridge without its app: whichever app has registered the scheme. It needs a screen to be asked
  // for, and clients pass none on, which is why this is not the first thing to try.
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
    // A .cmd file cannot be started without a shell; the Node that runs the bridge is the app's own.
    const file = join(bundleFolder, 'trestle.js');
    return { command: process.execPath, args: [file, ...args], file };
  }
  const places = [
    join(bundleFolder, '..', 'bin', 'trestle'),
    join(bundleFolder, '..', '..', 'MacOS', 'trestle'),
  ];
  const file = places.find((path) => existsSync(path)) ?? places[0]!;
  return { command: file, args, file };
}

async function spawnDetached(command: string, args: string[]): Promise<Launch> {
  // A launch by a person may replace an app of an earlier build, and with it the windows that are open.
  const env = { ...process.env, TRESTLE_STARTED_BY: 'bridge' };
  const child = spawn(command, args, {
    detached: true,
    stdio: 'ignore',
    cwd: homedir(),
    windowsHide: true,
    env,
  });
  let end: ReturnType<Launch['end']>;
  child.once('exit', (code, signal) => {
    // With 0 it has handed over to one that runs already.
    if (code === 0) return;
    const words = `${command} ended with ${code ?? signal}; \`trestle start\` in a terminal says why`;
    end = { by: signal ? 'signal' : 'itself', words };
  });
  await new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject));
  child.unref();
  return { end: () => end };
}

/** Some handlers become the app that they start: one that goes on has found it, and must outlive us as well. */
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
