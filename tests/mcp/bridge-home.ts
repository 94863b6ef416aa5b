import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { dataDirectory } from '@trestle/handshake';
import { root } from './running-server.ts';

export const trestle = join(root, 'bin', 'trestle');
export const trestleMcp = join(root, 'bin', 'trestle-mcp');

export interface UserHome {
  folder: string;
  /** An AI client may pass on only these variables. */
  env: { HOME: string; PATH: string };
  dataDirectory: string;
  /** Runs `trestle` as this user. */
  run(...args: string[]): Promise<string>;
  json<T>(...args: string[]): Promise<T>;
  /** All processes of this user. Empty except on Linux. */
  processes(): { pid: number; command: string }[];
  /** Stops the app and, on Linux, all other processes of this user. */
  close(): Promise<void>;
}

/** A new user with an empty home folder. The environment has only HOME and PATH. */
export function createUserHome(): UserHome {
  const folder = mkdtempSync(join(tmpdir(), 'trestle-user-'));
  const env = { HOME: folder, PATH: '/usr/local/bin:/usr/bin:/bin' };
  const run = async (...args: string[]) =>
    (await promisify(execFile)(trestle, args, { env, cwd: folder })).stdout;
  const processes = () => processesOf(folder);
  return {
    folder,
    env,
    dataDirectory: dataDirectory({}).replace(process.env.HOME ?? '', folder),
    run,
    json: async (...args) => JSON.parse(await run(...args, '--json')),
    processes,
    async close() {
      await run('stop').catch(() => {});
      for (const { pid } of processes()) endProcess(pid);
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Starts the app as a child of the test. Resolves when the app prints that it is running. */
export async function startApp(home: UserHome): Promise<ChildProcess> {
  const child = spawn(trestle, ['start', '--no-window'], { env: home.env, cwd: home.folder });
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk) => String(chunk).includes('Trestle is running') && resolve());
    child.once('exit', (code) => reject(new Error(`trestle ended with ${code}`)));
  });
  return child;
}

export function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has already ended.
  }
}

/** Finds processes by the HOME in their environment, since their command lines do not show it. */
function processesOf(home: string): { pid: number; command: string }[] {
  const read = (path: string) => {
    try {
      return readFileSync(path, 'utf8');
    } catch {
      return '';
    }
  };
  const pids = process.platform === 'linux' ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : [];
  return pids
    .filter((pid) => read(`/proc/${pid}/environ`).split('\0').includes(`HOME=${home}`))
    .map((pid) => ({ pid: Number(pid), command: read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim() }))
    .filter(({ command }) => command !== '');
}
