import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Starts the app without a window and lets go of it: it must outlive the client that wanted it. */
export async function launchApp(bundleFolder: string): Promise<void> {
  const { command, args } = launchCommand(bundleFolder, process.platform);
  if (command.includes('/') && !existsSync(command)) throw new Error(`${command} is missing`);
  const child = spawn(command, args, { detached: true, stdio: 'ignore', cwd: homedir(), windowsHide: true });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  child.unref();
}

export function launchCommand(
  bundleFolder: string,
  platform: NodeJS.Platform,
): { command: string; args: string[] } {
  if (platform === 'darwin') return { command: 'open', args: ['-g', 'trestle://integrations/start-mcp'] };
  const args = ['start', '--no-window'];
  // A .cmd file cannot be started without a shell; the Node that runs the bridge is the app's own.
  if (platform === 'win32')
    return { command: process.execPath, args: [join(bundleFolder, 'trestle.js'), ...args] };
  return { command: join(bundleFolder, '..', 'bin', 'trestle'), args };
}
