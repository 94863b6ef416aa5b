import { setTimeout as delay } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  type CallToolResult,
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { textOf } from './read-answer.ts';
import { bridgeFile, endless, type RunningServer, runServer, toolNames } from './running-server.ts';

let running: RunningServer;
beforeAll(async () => {
  running = await runServer({ progressMs: 50 });
});
afterAll(() => running.close());

const http = (token = running.token) =>
  new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${running.server.port}/mcp`), {
    requestInit: { headers: { Authorization: `Bearer ${token}` } },
  });
const stdio = () =>
  new StdioClientTransport({
    command: process.execPath,
    args: [bridgeFile],
    env: { TRESTLE_HOME: running.home, PATH: process.env.PATH ?? '' },
    stderr: 'ignore',
  });

describe.each([
  ['HTTP', () => http()],
  ['the bridge', () => stdio()],
] as const)('SDK 1.x over %s', (_, transport) => {
  let client: Client;
  beforeEach(async () => {
    client = new Client({ name: 'first', version: '1' });
    await client.connect(transport());
  });
  afterEach(() => client.close());

  const run = (connection_id: string, query: string, options = {}) =>
    client.callTool(
      { name: 'execute_query', arguments: { connection_id, query } },
      undefined,
      options,
    ) as Promise<CallToolResult>;

  test('lists tools and prompts, describes a table, runs a query, reads a resource and completes an argument', async () => {
    expect(client.getInstructions()).toMatch(/list_connections/);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(toolNames);
    expect((await client.listPrompts()).prompts).toHaveLength(7);
    const described = (await client.callTool({
      name: 'describe_table',
      arguments: { connection_id: 'Open', table: 'planets' },
    })) as CallToolResult;
    const example = /^example: (.*)$/m.exec(textOf(described))?.[1] ?? '';
    expect((await run('Open', example)).isError).toBeFalsy();
    const [content] = (await client.readResource({ uri: 'trestle://connections' })).contents;
    expect(content).toMatchObject({ mimeType: 'text/plain', text: expect.stringContaining('\nOpen\t') });
    const completed = await client.complete({
      ref: { type: 'ref/prompt', name: 'explain_table' },
      argument: { name: 'connection_id', value: 'Op' },
    });
    expect(completed.completion.values).toEqual(['Open']);
  });

  test('receives progress, and cancels calls', async () => {
    const controller = new AbortController();
    const messages: (string | undefined)[] = [];
    const call = run('Open', endless, {
      signal: controller.signal,
      onprogress: ({ message }: { message?: string }) => messages.push(message),
    });
    await expect.poll(() => messages.length).toBeGreaterThan(1);
    expect(messages[0]).toBe('Waiting for the database');
    controller.abort();
    await expect(call).rejects.toThrow();
    const outcome = () =>
      running.core.history
        .search({ connectionIds: [running.connections.open.id], limit: 5 })
        .find(({ text }) => text === endless)?.outcome;
    await expect.poll(outcome).toBe('cancelled');
    // Sixteen calls may run at once. Seventeen are cancelled here, and the next call still runs.
    for (let count = 0; count < 17; count++) {
      const stop = new AbortController();
      const one = run('Asks', 'SELECT 1', { signal: stop.signal });
      stop.abort();
      await one.catch(() => {});
    }
    expect((await run('Open', 'SELECT 1')).isError).toBeFalsy();
  });

  test('receives the errors of refused calls', async () => {
    await expect(run(running.connections.blocked.id, 'SELECT 1')).rejects.toMatchObject({
      code: -33007,
      message: expect.stringContaining('External Clients is Blocked'),
    });
    await expect(run(running.connections.never.id, 'SELECT 1')).rejects.toMatchObject({ code: -33007 });
    const text = async (connection: string, query: string) =>
      ((await run(connection, query)).content[0] as { text: string }).text;
    expect(await text('Read only', "UPDATE planets SET moons = 1 WHERE name = 'Mars'")).toMatch(
      /^denied: Connection is read only for external clients/,
    );
    expect(await text('Asks', 'SELECT 1')).toMatch(/^denied: /);
    expect(await text('Nowhere', 'SELECT 1')).toMatch(/^not_found: /);
  });
});

test('SDK 1.x receives notifications of changes through the bridge', async () => {
  const client = new Client({ name: 'first', version: '1' });
  await client.connect(stdio());
  onTestFinished(() => client.close());
  const run = (query: string) =>
    client.callTool({ name: 'execute_query', arguments: { connection_id: 'Open', query } });
  const heard: string[] = [];
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
    heard.push(params.uri);
  });
  client.setNotificationHandler(ResourceListChangedNotificationSchema, () => {
    heard.push('list');
  });
  const uri = `trestle://connections/${running.connections.open.id}/tables`;
  await client.subscribeResource({ uri });
  // Changes before the app has the subscription are not reported, so the test repeats them.
  while (!heard.includes(uri)) {
    await run(`CREATE TABLE made_${heard.length}_${Date.now()} (a)`);
    await delay(100);
  }
  await running.connectSqlite('Another', `${running.home}/planets.db`);
  await expect.poll(() => heard).toContain('list');
});

test('SDK 1.x shows the errors for a wrong token and for the lockout, and a token that worked before still works', async () => {
  const attempt = () => new Client({ name: 'first', version: '1' }).connect(http('trs_wrong'));
  await expect(attempt()).rejects.toThrow(/401|-33009|nauthenticated|Unauthorized/);
  for (let count = 0; count < 5; count++) await attempt().catch(() => {});
  await expect(attempt()).rejects.toThrow(/429|-33010/);
  const spared = new Client({ name: 'first', version: '1' });
  await spared.connect(http());
  expect((await spared.listTools()).tools).toHaveLength(toolNames.length);
  await spared.close();
});
