import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type CallToolResult, Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readAnswer, textOf } from './read-answer.ts';
import { root } from './running-server.ts';

const run = promisify(execFile);
const launcher = (name: string) => join(root, 'bin', name);
let home: string;
let env: Record<string, string>;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'trestle-cold-'));
  // An AI client may pass on little more than these variables. The launcher finds the pinned Node by itself.
  env = { HOME: home, PATH: '/usr/bin:/bin' };
});
afterEach(async () => {
  await run(launcher('trestle'), ['stop'], { env }).catch(() => {});
  rmSync(home, { recursive: true, force: true });
});

test('the app that a bridge started outlives this bridge and serves the next bridge', async () => {
  const connect = async () => {
    const client = new Client({ name: 'official', version: '1' });
    const transport = new StdioClientTransport({
      command: launcher('trestle-mcp'),
      env,
      cwd: tmpdir(),
      stderr: 'pipe',
    });
    await client.connect(transport);
    return client;
  };
  const first = await connect();
  const listed = (await first.callTool({ name: 'list_connections', arguments: {} })) as CallToolResult;
  const { columns, rows } = readAnswer(textOf(listed));
  expect(columns).toEqual(['name', 'database', 'query', 'writable', 'state']);
  expect(rows.map((row) => row.slice(2))).toEqual([
    ['graphql', 'true', 'ok'],
    ['sql', 'true', 'ok'],
  ]);
  const sqlite = rows.find((row) => row[2] === 'sql')?.[0];
  const status = async () =>
    JSON.parse((await run(launcher('trestle'), ['status', '--json'], { env })).stdout);
  const { pid } = await status();
  await first.close();

  const second = await connect();
  const query = { connection_id: sqlite, query: 'SELECT 40 + 2 AS answer' };
  const answer = (await second.callTool({ name: 'execute_query', arguments: query })) as CallToolResult;
  expect(readAnswer(textOf(answer)).rows).toEqual([['42']]);
  expect((await status()).pid).toBe(pid);
  await second.close();
});
