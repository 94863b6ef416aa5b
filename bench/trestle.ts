import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { StdioCommand } from './stdio-command.ts';

export const root = join(import.meta.dirname, '..');
export const dist = join(root, 'dist');
const launcher = join(root, 'bin', 'trestle');

export interface RunningApp {
  pid: number;
  /** The one-time address that the app printed. */
  link: string;
  stop(): Promise<void>;
}

/** A temporary data directory, removed after the work. */
export async function withHome<Result>(work: (home: string) => Promise<Result>): Promise<Result> {
  const home = mkdtempSync(join(tmpdir(), 'trestle-bench-'));
  try {
    return await work(home);
  } finally {
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The app on an existing data directory, stopped after the work. */
export async function withApp<Result>(
  home: string,
  work: (app: RunningApp) => Promise<Result>,
): Promise<Result> {
  const app = await startApp(home);
  try {
    return await work(app);
  } finally {
    await app.stop();
  }
}

/** Resolves once the app has printed its address. */
export function startApp(home: string): Promise<RunningApp> {
  return untilRunning(spawn(launcher, ['start', '--no-window'], { env: environment(home) }));
}

export async function untilRunning(child: ChildProcess): Promise<RunningApp> {
  endWithBench(child);
  let output = '';
  const link = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk;
      const found = /Trestle is running\D* (http:\S+)/.exec(output);
      if (found) resolve(found[1]!);
    };
    child.stdout!.on('data', read);
    child.stderr!.on('data', read);
    child.once('exit', (code) => reject(new Error(`Trestle ended with ${code}: ${output}`)));
    child.once('error', reject);
  });
  return {
    pid: child.pid!,
    link,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
    },
  };
}

/** A benchmark that fails half-way must not leave a process running. */
export function endWithBench(child: ChildProcess): void {
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
}

/** Runs a `trestle` command with `--json` and parses the output. */
export async function ask(home: string, ...args: string[]): Promise<unknown> {
  const { stdout } = await promisify(execFile)(launcher, [...args, '--json'], { env: environment(home) });
  return JSON.parse(stdout);
}

/** The command with which a client starts the bridge. */
export function stdioBridge(home: string): StdioCommand {
  return { command: join(root, 'bin', 'trestle-mcp'), args: [], env: environment(home) };
}

/** Stops an app that the bridge started. */
export async function stopApp(home: string): Promise<void> {
  await promisify(execFile)(launcher, ['stop'], { env: environment(home) });
}

/** Saves a connection to the SQLite file. Clients may read the file without approval. Returns the connection's id. */
export async function sharedConnection(home: string, file: string): Promise<string> {
  const list = join(home, 'shared.json');
  const connection = { name: 'Shared', driver: 'sqlite', fields: { file }, aiPolicy: 'alwaysAllow' };
  writeFileSync(list, JSON.stringify({ connections: [connection] }));
  await ask(home, 'connections', 'import', list);
  const connections = (await ask(home, 'connections', 'list')) as { id: string; name: string }[];
  const found = connections.find(({ name }) => name === connection.name);
  if (!found) throw new Error('The connection was not saved');
  return found.id;
}

/** Adds a connection to a Weaviate of this machine. Returns the connection's id. */
export async function weaviateConnection(home: string, port: number): Promise<string> {
  const address = ['--host', '127.0.0.1', '--port', String(port)];
  const open = ['--ai-policy', 'alwaysAllow'];
  const add = ['connections', 'add', '--driver', 'weaviate', '--name', 'Bench', ...address, ...open];
  return ((await ask(home, ...add)) as { id: string }).id;
}

/** The id of the SQLite sample, which every new data directory has. */
export async function sampleConnection(home: string): Promise<string> {
  const connections = (await ask(home, 'connections', 'list')) as {
    id: string;
    driver: string;
    sample: boolean;
  }[];
  const found = connections.find(({ driver, sample }) => sample && driver === 'sqlite');
  if (!found) throw new Error('There is no SQLite sample');
  return found.id;
}

export function environment(home: string): NodeJS.ProcessEnv {
  return { ...process.env, TRESTLE_HOME: home };
}

/** One POST, like the window's. Does not use fetch, because the time of fetch itself would count as the app's. */
export function post(
  url: URL,
  options: Parameters<typeof request>[1] & { body: Uint8Array },
): Promise<Buffer<ArrayBuffer>> {
  return new Promise((resolve, reject) => {
    const { body, headers, ...rest } = options;
    const length = { 'content-length': body.length };
    const sent = request(url, { ...rest, method: 'POST', headers: { ...headers, ...length } }, (answer) => {
      const chunks: Buffer<ArrayBuffer>[] = [];
      answer.on('data', (chunk) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () => {
        const bytes = Buffer.concat(chunks);
        if (answer.statusCode === 200) resolve(bytes);
        else reject(new Error(`Trestle answered ${answer.statusCode}: ${bytes}`));
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
