import { spawn } from 'node:child_process';
import type { EntryFiles } from './entry-files.ts';

/** Some browsers cannot read the data directory (snaps), and some systems open a page in an editor. */
const patienceMs = 5000;

/** Opens the window in the default browser; false where there is none. */
export async function openDefaultBrowser(options: {
  files: EntryFiles;
  /** Without a secret. The page there takes a code that the launcher prints. */
  address: string;
  env: NodeJS.ProcessEnv;
}): Promise<boolean> {
  const { files, address, env } = options;
  const file = files.create();
  if (!(await open(file.path, env))) return false;
  setTimeout(() => {
    if (!file.isUsed()) void open(address, env);
  }, patienceMs).unref();
  return true;
}

/** Nothing secret may be in the target: other users can read the arguments of a process. */
function open(target: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const [command, ...args] = {
    darwin: ['open', target],
    win32: ['rundll32', 'url.dll,FileProtocolHandler', target],
  }[process.platform as string] ?? ['xdg-open', target];
  return new Promise((resolve) => {
    const child = spawn(command!, args, { env, stdio: 'ignore', detached: true });
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
    // A browser that stays in the foreground has opened the page.
    setTimeout(() => resolve(true), 3000).unref();
    child.unref();
  });
}
