import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Starts the app without a window and lets go of it: it must outlive the client that wanted it. */
export async function launchApp(bundleFolder: string, platform = process.platform): Promise<void> {
  // Where no installed app has registered the scheme, as in a checkout, the launcher beside us is the app.
  if (platform === 'darwin' && (await openUrl('trestle://integrations/start-mcp'))) return;
  const { command, args, file } = launcher(bundleFolder, platform);
  if (!existsSync(file)) throw new Error(`${file} is missing`);
  const { spawn } = await childProcesses();
  const child = spawn(command, args, { detached: true, stdio: 'ignore', cwd: homedir(), windowsHide: true });
  await once(child, 'spawn');
  child.unref();
}

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
  const file = join(bundleFolder, '..', 'bin', 'trestle');
  return { command: file, args, file };
}

async function openUrl(url: string): Promise<boolean> {
  try {
    const { spawn } = await childProcesses();
    const [code] = await once(spawn('open', ['-g', url], { stdio: 'ignore' }), 'exit');
    return code === 0;
  } catch {
    return false;
  }
}

/** Loaded here alone: most starts find the app running, and would pay 2 ms of some 50 for nothing. */
function childProcesses() {
  return import('node:child_process');
}
