import { execFile, spawn } from 'node:child_process';
import { createReadStream, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type CallToolResult, Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

export const root = join(import.meta.dirname, '..', '..');
export const version = '0.1.0-development';

const run = promisify(execFile);

/** An empty temporary folder. The caller removes it. */
export function emptyFolder(name: string): string {
  return mkdtempSync(join(tmpdir(), `trestle-${name}-`));
}

export const isInstalled = (program: string) => existsSync(join('/usr/bin', program));

/** Makes packages. Serves the output over HTTP, because an installed copy downloads drivers from the registry in it. */
export async function makePackages(only: string[]) {
  const out = emptyFolder('packages');
  const server = createServer((request, response) => {
    const file = join(out, request.url!.slice(1));
    if (!existsSync(file)) response.writeHead(404).end();
    else createReadStream(file).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const registry = `http://127.0.0.1:${(server.address() as AddressInfo).port}/registry/`;
  await runPackage(out, registry, only);
  return {
    out,
    registry,
    close(): void {
      server.closeAllConnections();
      server.close();
      rmSync(out, { recursive: true, force: true });
    },
  };
}

export async function runPackage(out: string, registry: string, only: string[]): Promise<void> {
  const form = ['--development', '--fast', '--registry', registry, '--out', out];
  const names = only.flatMap((name) => ['--only', name]);
  const program = join(root, 'scripts', 'package', 'main.ts');
  await run(process.execPath, [program, ...form, ...names], {
    cwd: root,
    maxBuffer: 10_000_000,
  });
}

/** The environment of npm with another home, but with the machine's npm settings, cache and certificates. */
export function npmEnvironment(home: string): Record<string, string> {
  const { TRESTLE_HOME: _, ...env } = process.env;
  return {
    ...(env as Record<string, string>),
    HOME: home,
    npm_config_userconfig: env.npm_config_userconfig ?? join(homedir(), '.npmrc'),
    npm_config_cache: env.npm_config_cache ?? join(homedir(), '.npm'),
    npm_config_update_notifier: 'false',
    // The pinned Node has its own certificates. npm may need the machine's certificates to reach its registry.
    NODE_USE_SYSTEM_CA: '1',
  };
}

/** The default PATH, without the folders that `npm run` adds: a package brings its own Node. */
export const plainPath = '/usr/local/bin:/usr/bin:/bin';

export async function command(
  file: string,
  args: string[],
  env: Record<string, string>,
): Promise<{ stdout: string; stderr: string }> {
  return run(file, args, { env, cwd: env.HOME, maxBuffer: 10_000_000 });
}

/** Starts a program that keeps running, such as the app, and waits until it has printed `said`. */
export function begin(
  file: string,
  args: string[],
  env: Record<string, string>,
  said: RegExp,
): Promise<void> {
  const child = spawn(file, args, { env, cwd: env.HOME, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  return new Promise((resolve, reject) => {
    const hear = (chunk: Buffer) => {
      output += chunk;
      if (said.test(output)) resolve();
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${file} ended with ${code}: ${output}`)));
  });
}

/** The official MCP client, connected through a package's bridge. */
export async function throughBridge(
  bridge: { command: string; args?: string[] },
  env: Record<string, string>,
): Promise<{ ask(name: string, args: object): Promise<string>; close(): Promise<void> }> {
  const client = new Client({ name: 'Notebook', version: '1' });
  await client.connect(new StdioClientTransport({ ...bridge, env, cwd: env.HOME!, stderr: 'inherit' }));
  return {
    async ask(name, args) {
      const result = (await client.callTool({ name, arguments: { ...args } })) as CallToolResult;
      return result.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
    },
    close: () => client.close(),
  };
}

/** Browses both samples. The Weaviate driver is in no package: it comes from the registry that the package names. */
export async function browseSamples(
  bridge: { command: string; args?: string[] },
  env: Record<string, string>,
) {
  const client = await throughBridge(bridge, env);
  try {
    const connections = await client.ask('list_connections', {});
    const planets = await client.ask('execute_query', {
      connection_id: 'Sample: SQLite',
      query: "SELECT name FROM planets WHERE name = 'Mercury'",
    });
    const inventions = await client.ask('vector_search', {
      connection_id: 'Sample: Weaviate',
      table: 'Invention',
      mode: 'near_text',
      text: 'talking over long distances',
      limit: 3,
    });
    return { connections, planets, inventions };
  } finally {
    await client.close();
  }
}
