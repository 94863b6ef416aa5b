import { spawn } from 'node:child_process';
import type { EntryFiles } from './entry-files.ts';

/**
 * If the link in the entry file was not used within this time, the plain address is opened. The reason: some browsers
 * (snaps) cannot read the data directory, and some systems open the file in an editor.
 */
const patienceMs = 5000;

/** Opens the page in the default browser. False if there is no such browser, or it could not be started. */
export async function openDefaultBrowser(options: {
  files: EntryFiles;
  /** The address of the page, without a secret. The page may ask for a code. */
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

/** The target must contain no secret: other users can read the arguments of a process. */
function open(target: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const [command, ...args] = {
    darwin: ['open', target],
    win32: ['rundll32', 'url.dll,FileProtocolHandler', target],
  }[process.platform as string] ?? ['xdg-open', target];
  return new Promise((resolve) => {
    const child = spawn(command!, args, { env, stdio: 'ignore', detached: true });
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
    // On some systems the command runs as long as the browser. After 3 seconds the page counts as opened.
    setTimeout(() => resolve(true), 3000).unref();
    child.unref();
  });
}
