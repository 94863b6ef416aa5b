import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AppStatus } from '../../apps/desktop/src/control/app-commands.ts';
import { compiledCode } from '../compiled-code.ts';
import { enterWindow } from '../enter-window.ts';
import { standInBrowser } from '../stand-in-browser.ts';
import { askRunningApp } from './control.ts';

const root = join(import.meta.dirname, '..', '..');
const ownLauncher = join(root, 'bin', process.platform === 'win32' ? 'trestle.cmd' : 'trestle');

export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

export type TestApp = Awaited<ReturnType<typeof startApp>>;

/** Starts the app by its launcher, with a new data directory. */
export async function startApp(more: NodeJS.ProcessEnv = {}, launcher = ownLauncher) {
  const folder = mkdtempSync(join(tmpdir(), 'trestle-e2e-'));
  const screen = standInBrowser(folder);
  const env = { ...compiledCode, HOME: folder, TRESTLE_HOME: folder, ...screen.env, ...more };
  let running: Running | null = await launch(launcher, env);

  const run = (...args: string[]) => runWith(env, args);

  async function runWith(env: NodeJS.ProcessEnv, args: string[], cwd = '/'): Promise<Outcome> {
    const child = spawn(launcher, args, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    const output = { stdout: '', stderr: '' };
    child.stdout.on('data', (chunk) => (output.stdout += chunk));
    child.stderr.on('data', (chunk) => (output.stderr += chunk));
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
    return { code, ...output };
  }

  async function json(...args: string[]) {
    const { code, stdout, stderr } = await run(...args, '--json');
    if (code !== 0) throw new Error(`trestle ${args.join(' ')} ended with ${code}: ${stderr}`);
    return JSON.parse(stdout);
  }

  async function kill(): Promise<void> {
    running?.process.kill('SIGKILL');
    await running?.exited;
    running = null;
  }

  async function createLink(): Promise<string> {
    screen.forget();
    // Sends the command that a second launch sends. Starting a process would take longer.
    await askRunningApp(folder, 'open', screen.display);
    return pathToFileURL(await screen.first()).href;
  }

  let entered: ReturnType<typeof enterWindow> | undefined;

  async function request(path: string, init: RequestInit = {}): Promise<unknown> {
    entered ??= createLink().then(enterWindow);
    const { origin, headers } = await entered;
    const answer = await fetch(`${origin}/api/${path}`, {
      ...init,
      headers: { ...headers, ...init.headers },
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()).result.data;
  }

  /** Reads data as a window does. Running a command would take longer. */
  const ask = (procedure: string) => request(procedure);

  /** Changes something as a window does. */
  const tell = (procedure: string, input: unknown) =>
    request(procedure, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(input),
    });

  return {
    folder,
    run,
    runIn: (cwd: string, ...args: string[]) => runWith(env, args, cwd),
    json,
    kill,
    get pid(): number {
      return running!.process.pid!;
    },
    /** The process ids of this app's driver hosts. */
    hosts(): number[] {
      return running ? driverHosts(running.process.pid!) : [];
    },
    /** Like `trestle status`, but faster, because no process starts. */
    status: () => askRunningApp(folder, 'status', null) as Promise<AppStatus>,
    /** The SQLite sample, which the app adds at its first start. */
    async sample(): Promise<{ id: string; fields: { file: string } }> {
      const connections = (await ask('connections.list')) as { name: string }[];
      return connections.find(({ name }) => name === 'Sample: SQLite') as never;
    },
    /** The URL of the file that the app gives to the user's browser. The link in the file works once. */
    createLink,
    /** A link that the app prints for `--no-window`. */
    async printLink(): Promise<string> {
      return findLink((await run('--no-window')).stdout)!;
    },
    /** A code that the user types on a page that is not admitted yet. */
    async printCode(): Promise<string> {
      return /code (\w{4}(?:-\w{4}){2})/.exec((await run('--no-window')).stdout)![1]!;
    },
    /** Creates a token, as the user does in a window that the app opened. */
    createToken: (name: string, permission: string): Promise<{ secret: string }> =>
      tell('tokens.create', { name, permission, allowlist: null, expiresAt: null }) as never,
    ask,
    tell,
    async start(): Promise<void> {
      entered = undefined;
      running = await launch(launcher, env);
    },
    async stop(): Promise<Outcome> {
      const outcome = await run('stop');
      await running?.exited;
      running = null;
      return outcome;
    },
    async close(): Promise<void> {
      // If our app ended, a bridge may have started another app, which `trestle stop` stops. Our own app is killed,
      // because a clean stop would start one more process in each journey. Other tests cover the clean stop.
      if (running && hasEnded(running.process)) await run('stop');
      await kill();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}

/** Imports connections as a window does, from the text of a file. */
export async function importConnections(app: TestApp, connections: object[]): Promise<void> {
  const text = JSON.stringify({ connections });
  await app.tell('connections.importFile', { name: 'connections.json', text, dryRun: false });
}

interface Running {
  process: ChildProcess;
  exited: Promise<number | null>;
}

async function launch(launcher: string, env: NodeJS.ProcessEnv): Promise<Running> {
  const child = spawn(launcher, ['start', '--no-window'], { env, cwd: '/' });
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  let output = '';
  await new Promise<void>((resolve, reject) => {
    const onData = (chunk: Buffer) => {
      output += chunk;
      if (findLink(output)) resolve();
    };
    child.stdout.on('data', onData);
    child.stderr.on('data', onData);
    child.once('exit', (code) => reject(new Error(`trestle ended with ${code}: ${output}`)));
  });
  return { process: child, exited };
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

function findLink(output: string): string | undefined {
  return /http:\/\/\S+key=\S+/.exec(output)?.[0];
}

export interface ProcessLine {
  pid: number;
  parent: number;
  command: string;
}

export function processes(): ProcessLine[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n');
  return lines.flatMap((line) => {
    const [, pid, parent, command] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return command ? [{ pid: Number(pid), parent: Number(parent), command }] : [];
  });
}

export function driverHosts(appPid: number): number[] {
  return processes()
    .filter(({ parent, command }) => parent === appPid && command.includes('driver-host.js'))
    .map(({ pid }) => pid);
}
