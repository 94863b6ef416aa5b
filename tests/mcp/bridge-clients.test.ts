import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as v2 from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientNewest } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioNewest } from '@modelcontextprotocol/sdk/client/stdio.js';
import { Client as Client110 } from 'mcp-sdk-1-10/client/index.js';
import { StdioClientTransport as Stdio110 } from 'mcp-sdk-1-10/client/stdio.js';
import { Client as Client117 } from 'mcp-sdk-1-17/client/index.js';
import { StdioClientTransport as Stdio117 } from 'mcp-sdk-1-17/client/stdio.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { driverHosts } from '../e2e/app.ts';
import { heldStill, untilAtWork } from '../faults/busy-host.ts';
import { createUserHome, startApp, trestleMcp, type UserHome } from './bridge-home.ts';
import { pythonWithSdk } from './python/environment.ts';
import { readAnswer, textOf } from './read-answer.ts';
import { endless, root, toolNames } from './running-server.ts';

/* Real clients start bin/trestle-mcp from a folder outside the repository, with only HOME and PATH. */

let home: UserHome;
let app: ChildProcess;
let server: { command: string; args: string[]; cwd: string };
beforeAll(async () => {
  home = createUserHome();
  server = {
    command: '/usr/bin/env',
    args: ['-i', `HOME=${home.env.HOME}`, `PATH=${home.env.PATH}`, trestleMcp],
    cwd: '/',
  };
  app = await startApp(home);
});
afterAll(() => home.close());

const sqlite = 'Sample: SQLite';

interface Result {
  content?: unknown;
  isError?: boolean;
}

interface AnyClient {
  tools(): Promise<string[]>;
  call(
    name: string,
    args: object,
    options?: { signal: AbortSignal; onprogress: (progress: { progress: number }) => void },
  ): Promise<Result>;
  close(): Promise<void>;
}

const info = { name: 'official', version: '1' };

const makers: [string, () => Promise<AnyClient>][] = [
  ['1.10', () => connectV1(new Client110(info), new Stdio110(server))],
  ['1.17', () => connectV1(new Client117(info), new Stdio117(server))],
  ['1.32', () => connectV1(new ClientNewest(info), new StdioNewest(server))],
  ['2.4, as an older client', () => connectV2('legacy')],
  ['2.4, negotiating', () => connectV2('auto')],
  ['2.4, 2026-07-28', () => connectV2({ pin: '2026-07-28' })],
];

describe.each(makers)('the official SDK %s', (_, connect) => {
  test('lists tools and connections, runs a query, receives progress, and cancels a query', async () => {
    const client = await connect();
    try {
      expect(await client.tools()).toEqual(toolNames);
      const listed = await client.call('list_connections', {});
      expect(readAnswer(textOf(listed)).rows.map(([name]) => name)).toContain(sqlite);
      const answer = await client.call('execute_query', { connection_id: sqlite, query: 'SELECT 40 + 2' });
      expect(readAnswer(textOf(answer)).rows).toEqual([['42']]);

      const text = `${endless} -- ${Math.random()}`;
      const controller = new AbortController();
      const progress = Promise.withResolvers<{ progress: number }>();
      const call = client.call(
        'execute_query',
        { connection_id: sqlite, query: text },
        { signal: controller.signal, onprogress: progress.resolve },
      );
      const ended = expect(call).rejects.toThrow();
      const [driver] = driverHosts(app.pid!);
      expect((await heldStill(driver!, progress.promise)).progress).toBeGreaterThan(0);
      controller.abort();
      await ended;
      await expect.poll(() => outcomeOf(client, text), { interval: 200 }).toBe('cancelled');
    } finally {
      await client.close();
    }
  });
});

// The first run downloads the Python client.
const withDownload = { timeout: 400_000 };

test(
  'the official Python client lists tools and connections, runs a query, receives progress, and cancels a query',
  withDownload,
  async ({ skip }) => {
    const python = pythonWithSdk();
    if (!python) return skip('There is no Python here, or the package mcp cannot be installed');
    const child = spawn(python, [join(import.meta.dirname, 'python-client.py')], { env: home.env });
    child.stdin.end(JSON.stringify({ ...server, connection: sqlite, endless }));
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => (stdout += chunk));
    child.stderr.on('data', (chunk) => (stderr += chunk));
    const [code] = await once(child, 'close');
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({
      protocol: expect.stringMatching(/^20\d\d-\d\d-\d\d$/),
      tools: toolNames,
      connections: expect.stringContaining(sqlite),
      rows: expect.stringContaining('\n42\n'),
      progress: expect.any(Number),
      cancelled: true,
    });
  },
);

test('MCP Inspector on the command line lists tools and connections and runs queries; its end cancels a running query', async () => {
  const entry = join(root, 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js');
  const commandLine = (...args: string[]) => [entry, '--cli', trestleMcp, ...args];
  const options = { env: home.env, cwd: home.folder };
  const inspect = async (...args: string[]) =>
    JSON.parse((await promisify(execFile)(process.execPath, commandLine(...args), options)).stdout);
  const call = (name: string, args: Record<string, string> = {}) => [
    ...['--method', 'tools/call', '--tool-name', name],
    ...Object.entries(args).flatMap(([key, value]) => ['--tool-arg', `${key}=${value}`]),
  ];
  const { tools } = await inspect('--method', 'tools/list');
  expect(tools.map(({ name }: { name: string }) => name)).toEqual(toolNames);
  const listed = await inspect(...call('list_connections'));
  expect(readAnswer(textOf(listed)).rows.map(([name]) => name)).toContain(sqlite);
  const answer = await inspect(...call('execute_query', { connection_id: sqlite, query: 'SELECT 40 + 2' }));
  expect(readAnswer(textOf(answer)).rows).toEqual([['42']]);

  const [driver] = driverHosts(app.pid!);
  const text = `${endless} -- inspector`;
  const long = spawn(
    process.execPath,
    commandLine(...call('execute_query', { connection_id: sqlite, query: text })),
    options,
  );
  const client = await connectV2('legacy');
  try {
    await untilAtWork(driver!);
    long.kill('SIGTERM');
    await expect.poll(() => outcomeOf(client, text), { interval: 200 }).toBe('cancelled');
  } finally {
    await client.close();
  }
});

async function outcomeOf(client: AnyClient, query: string): Promise<unknown> {
  const found = await client.call('search_query_history', { connection_id: sqlite, search: query, limit: 1 });
  const { columns, rows } = readAnswer(textOf(found));
  return rows[0]?.[columns.indexOf('outcome')]?.split(':')[0];
}

/** The part of the clients' API that this test uses. It is the same in the tested 1.x versions. */
interface V1Client<Transport> {
  connect(transport: Transport): Promise<void>;
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(params: object, schema?: undefined, options?: object): Promise<unknown>;
  close(): Promise<void>;
}

async function connectV1<Transport>(sdk: unknown, transport: Transport): Promise<AnyClient> {
  const client = sdk as V1Client<Transport>;
  await client.connect(transport);
  return {
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: (name, args, options) =>
      client.callTool({ name, arguments: args }, undefined, options) as Promise<Result>,
    close: () => client.close(),
  };
}

async function connectV2(mode: v2.VersionNegotiationMode): Promise<AnyClient> {
  const client = new v2.Client(info, { versionNegotiation: { mode } });
  await client.connect(new StdioV2({ ...server, stderr: 'ignore' }));
  return {
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: (name, args, options) =>
      client.callTool({ name, arguments: args as Record<string, unknown> }, options) as Promise<Result>,
    close: () => client.close(),
  };
}
