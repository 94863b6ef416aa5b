import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, onTestFinished } from 'vitest';
import { callRunningApp } from '../../apps/desktop/src/control/client.ts';
import { compiledCode } from '../compiled-code.ts';

const root = join(import.meta.dirname, '..', '..');
export const launcher = join(root, 'bin', 'trestle');

export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  env?: Record<string, string>;
  input?: string;
  cwd?: string;
  command?: string;
}

export interface RunningApp {
  process: ChildProcess;
  pid: number;
  link: string;
  output(): string;
  /** Resolves with the exit code. */
  exited: Promise<number | null>;
}

export type Home = ReturnType<typeof createHome>;

/** A data directory, with functions that run commands on it. Their default environment is small, like that of a bridge. */
export function createHome(
  folder = mkdtempSync(join(tmpdir(), 'trestle-app-')),
  atEnd: (close: () => Promise<void>) => void = onTestFinished,
) {
  const started = new Set<ChildProcess>();
  atEnd(async () => {
    for (const child of started) {
      if (child.exitCode === null && child.signalCode === null) {
        const gone = new Promise((resolve) => child.once('exit', resolve));
        child.kill('SIGKILL');
        await gone;
      }
    }
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  function launch(args: string[], options: RunOptions = {}): ChildProcess {
    const path = '/usr/local/bin:/usr/bin:/bin';
    const env = { ...compiledCode, HOME: folder, PATH: path, TRESTLE_HOME: folder, ...options.env };
    const child = spawn(options.command ?? launcher, args, { env, cwd: options.cwd ?? '/' });
    started.add(child);
    return child;
  }

  async function run(args: string[], options: RunOptions = {}): Promise<Outcome> {
    const child = launch(args, options);
    const output = { stdout: '', stderr: '' };
    child.stdout!.on('data', (chunk) => (output.stdout += chunk));
    child.stderr!.on('data', (chunk) => (output.stderr += chunk));
    child.stdin!.end(options.input ?? '');
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
    return { code, ...output };
  }

  /** Starts the app and waits until it prints its address. */
  async function start(args: string[] = [], options: RunOptions = {}): Promise<RunningApp> {
    const child = launch(args, options);
    const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
    let output = '';
    const link = await new Promise<string>((resolve, reject) => {
      const onData = (chunk: Buffer) => {
        output += chunk;
        const found = /Trestle is running\D* (http:\S+)/.exec(output);
        if (found) resolve(found[1]!);
      };
      child.stdout!.on('data', onData);
      child.stderr!.on('data', onData);
      child.once('exit', (code) => reject(new Error(`trestle ended with ${code}: ${output}`)));
    });
    return { process: child, pid: child.pid!, link, output: () => output, exited };
  }

  async function json(...args: string[]) {
    const { code, stdout, stderr } = await run([...args, '--json']);
    if (code !== 0) throw new Error(`trestle ${args.join(' ')} ended with ${code}: ${stderr}`);
    return JSON.parse(stdout);
  }

  /** The app's log. Empty until the app writes the first line. */
  function log(): string {
    const path = join(folder, 'logs', 'trestle.log');
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  }

  /** Sends a request to the running app as a command does, but starts no process. */
  const ask = (command: string, input: unknown = null) => callRunningApp(folder, command, input);

  return { folder, launch, run, start, json, ask, log };
}

/**
 * One running app for the tests of a file or block. Each call of the returned function removes the connections that an
 * earlier test added. A test that fails may leave anything behind, so the next test gets a new app.
 */
export function shareApp(): () => Promise<Home> {
  let running: { home: Home; samples: string[] } | undefined;
  let close = async () => {};
  const end = async () => {
    running = undefined;
    await close();
    close = async () => {};
  };
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await end();
  });
  afterAll(end);
  return async () => {
    if (!running) {
      const home = createHome(undefined, (closing) => {
        close = closing;
      });
      await home.start();
      running = { home, samples: await connectionsOf(home) };
    }
    const { home, samples } = running;
    const added = (await connectionsOf(home)).filter((id) => !samples.includes(id));
    for (const id of added) await home.ask('connections.remove', id);
    return home;
  };
}

async function connectionsOf(home: Home): Promise<string[]> {
  return ((await home.ask('connections.list')) as { id: string }[]).map(({ id }) => id);
}
