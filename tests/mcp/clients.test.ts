import { setTimeout as delay } from 'node:timers/promises';
import {
  type CallToolResult,
  Client,
  ProtocolError,
  StreamableHTTPClientTransport,
  type Transport,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { isAlive } from '../faults/busy-host.ts';
import { readAnswer, textOf } from './read-answer.ts';
import { bridgeFile, endless, type RunningServer, runServer, toolNames } from './running-server.ts';
import { untilRunning } from './until-running.ts';

let running: RunningServer;
beforeAll(async () => {
  running = await runServer({ progressMs: 50 });
});
afterAll(() => running.close());

const http = () =>
  new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${running.server.port}/mcp`), {
    requestInit: { headers: { Authorization: `Bearer ${running.token}` } },
  });
const stdio = () =>
  new StdioClientTransport({
    command: process.execPath,
    args: [bridgeFile],
    env: { TRESTLE_HOME: running.home, PATH: process.env.PATH ?? '' },
    stderr: 'ignore',
  });

const ways: [string, () => Transport, VersionNegotiationMode, string][] = [
  ['HTTP, 2026-07-28', http, { pin: '2026-07-28' }, '2026-07-28'],
  ['HTTP, negotiated', http, 'auto', '2026-07-28'],
  ['HTTP, an older client', http, 'legacy', '2025-11-25'],
  ['the bridge, 2026-07-28', stdio, { pin: '2026-07-28' }, '2026-07-28'],
  ['the bridge, negotiated', stdio, 'auto', '2026-07-28'],
  ['the bridge, an older client', stdio, 'legacy', '2025-11-25'],
];

describe.each(ways)('the official client over %s', (way, transport, mode, version) => {
  let client: Client;
  beforeEach(async () => {
    client = new Client({ name: 'official', version: '1' }, { versionNegotiation: { mode } });
    await client.connect(transport());
  });
  afterEach(() => client.close());

  const run = (connection_id: string, query: string) =>
    client.callTool({
      name: 'execute_query',
      arguments: { connection_id, query },
    }) as Promise<CallToolResult>;

  test('export_data reports how many of all rows are written', async () => {
    const messages: (string | undefined)[] = [];
    const { content } = (await client.callTool(
      { name: 'export_data', arguments: { connection_id: 'Open', table: 'planets' } },
      { onprogress: ({ message }) => messages.push(message) },
    )) as CallToolResult;
    expect(content[0]).toMatchObject({ text: expect.stringMatching(/^\d+ rows, \d+ bytes: /) });
    expect(messages).toContainEqual(expect.stringMatching(/^\d+( of \d+)? rows written$/));
  });

  test('speaks its version and receives the instructions', () => {
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
    expect(client.getInstructions()).toMatch(/^.*Start from list_connections.*describe_table before writing/);
    expect(client.getServerVersion()).toMatchObject({ name: 'trestle', version: '0.1.0' });
  });

  test('lists the tools and the connections it may see', async () => {
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toEqual(toolNames);
    const listed = (await client.callTool({ name: 'list_connections', arguments: {} })) as CallToolResult;
    const { columns, rows } = readAnswer(textOf(listed));
    expect(rows.map((row) => [row[0], row[columns.indexOf('writable')]])).toEqual([
      ['Open', 'true'],
      ['Read only', 'false'],
      ['Asks', 'true'],
    ]);
    expect(listed.structuredContent).toBeUndefined();
    expect(tools.filter((tool) => tool.outputSchema)).toEqual([]);
  });

  test('reads the schema and runs a SELECT', async () => {
    const connection_id = 'Open';
    const tables = (await client.callTool({
      name: 'list_tables',
      arguments: { connection_id },
    })) as CallToolResult;
    expect(readAnswer(textOf(tables)).lines).toContain('planets');
    const described = (await client.callTool({
      name: 'describe_table',
      arguments: { connection_id, table: 'planets' },
    })) as CallToolResult;
    const { lines } = readAnswer(textOf(described));
    expect(lines).toEqual(expect.arrayContaining(['name TEXT', 'moons INTEGER not null']));
    const example = lines.find((line) => line.startsWith('example: '))?.slice(9) ?? '';
    expect((await run('Open', example)).isError).toBeFalsy();
    const rows = await run('Open', 'SELECT name, moons FROM planets WHERE moons > 0 ORDER BY moons DESC');
    expect(readAnswer(textOf(rows))).toMatchObject({
      columns: ['name', 'moons'],
      rows: [
        ['Mars', '2'],
        ['Earth', '1'],
      ],
      notes: '',
    });
  });

  test('writes if the connection allows it, and gets an error if a call is refused or fails', async () => {
    const insert = "UPDATE planets SET moons = 0 WHERE name = 'Venus'";
    expect(readAnswer(textOf(await run('Open', insert))).lines).toEqual(['1 row affected']);
    const denied = await run('Read only', insert);
    expect(denied).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^denied: Connection is read only for external clients/) }],
    });
    const unasked = await run('Asks', 'SELECT 1');
    expect(unasked).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(/^denied: /) }] });
    const destroys = await run('Open', 'DROP TABLE planets').catch((error) => error);
    expect(destroys.isError || destroys.code === -33007).toBe(true);
    const wrong = await run('Open', 'SELECT * FROM nowhere');
    expect(wrong).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^query_failed: /) }],
    });
  });

  test('a blocked connection and one with AI Policy Never are refused with -33007', async () => {
    for (const connection of [running.connections.blocked, running.connections.never]) {
      const refused = await run(connection.id, 'SELECT 1').catch((error) => error);
      expect(refused).toBeInstanceOf(ProtocolError);
      expect(refused).toMatchObject({ code: -33007, message: expect.stringContaining('Forbidden') });
    }
  });

  test('a destructive statement is refused to the bridge, and over HTTP if nobody can approve it', async () => {
    const args = { connection_id: 'Open', query: 'DROP TABLE planets' };
    const call = client.callTool({ name: 'confirm_destructive_operation', arguments: args });
    const outcome = await call.catch((error) => error);
    // The token of the bridge may not destroy. The token used over HTTP may, but the app has no window to ask in.
    if (way.startsWith('the bridge')) expect(outcome).toMatchObject({ code: -33007 });
    else
      expect(outcome).toMatchObject({
        isError: true,
        content: [{ text: expect.stringMatching(/^denied: /) }],
      });
    expect((await run('Open', 'SELECT count(*) FROM planets')).isError).toBeFalsy();
  });

  test('hears that a call is still running', async () => {
    const controller = new AbortController();
    const messages: (string | undefined)[] = [];
    const query = `${endless} -- ${way}`;
    const call = client.callTool(
      { name: 'execute_query', arguments: { connection_id: 'Open', query } },
      { signal: controller.signal, onprogress: ({ message }) => messages.push(message) },
    );
    await expect.poll(() => messages.length).toBeGreaterThan(1);
    expect(messages[0]).toBe('Waiting for the database');
    controller.abort();
    await expect(call).rejects.toThrow();
    // An older client cancels with a separate message. Closing the client now could drop that message.
    await expect.poll(() => last(running.connections.open.id, query)?.outcome).toBe('cancelled');
  });

  test('receives notifications of changes, except as an older client over HTTP', async () => {
    const uri = `trestle://connections/${running.connections.open.id}/tables`;
    const heard: string[] = [];
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      heard.push(params.uri);
    });
    if (version === '2026-07-28') await client.listen({ resourceSubscriptions: [uri] });
    else if (way.startsWith('the bridge')) await client.subscribeResource({ uri });
    // Over HTTP, older clients have no stream, so the server does not offer them subscriptions.
    else return expect(client.getServerCapabilities()?.resources?.subscribe).toBeUndefined();
    // Changes before the app has the subscription are not reported, so the test repeats them.
    while (!heard.includes(uri)) {
      await run('Open', `CREATE TABLE made_${Date.now()} (a)`);
      await delay(100);
    }
  });

  test('reads resources, prompts and completions', async () => {
    const { contents } = await client.readResource({ uri: 'trestle://connections' });
    expect(contents).toMatchObject([{ text: expect.stringContaining('\nOpen\t') }]);
    const prompt = await client.getPrompt({ name: 'explain_schema', arguments: { connection_id: 'Open' } });
    expect(JSON.stringify(prompt.messages)).toContain('moons');
    const ref = { type: 'ref/prompt' as const, name: 'explain_schema' };
    const completed = await client.complete({ ref, argument: { name: 'connection_id', value: 'Re' } });
    expect(completed.completion.values).toEqual(['Read only']);
  });

  test('cancelling stops the statement in the driver', async () => {
    const { id } = running.connections.open;
    await run('Open', 'SELECT 1');
    const { pid } = running.core.sessions.status(id);
    const controller = new AbortController();
    const call = client.callTool(
      { name: 'execute_query', arguments: { connection_id: 'Open', query: endless } },
      { signal: controller.signal },
    );
    await untilRunning(running, running.connections.open);
    controller.abort();
    await expect(call).rejects.toThrow();
    // The SQLite driver cannot interrupt a statement, so the cancellation ends the driver host.
    await expect.poll(() => isAlive(pid!)).toBe(false);
    await expect.poll(() => last(id)?.outcome).toBe('cancelled');
    expect((await run('Open', 'SELECT 1')).isError).toBeFalsy();
  });
});

const last = (connectionId: string, query = endless) =>
  running.core.history
    .search({ connectionIds: [connectionId], limit: 10 })
    .find((entry) => entry.text === query);

test('the official client shows that a wrong token is refused', async () => {
  const transport = new StreamableHTTPClientTransport(
    new URL(`http://127.0.0.1:${running.server.port}/mcp`),
    {
      requestInit: { headers: { Authorization: 'Bearer trs_wrong' } },
    },
  );
  const client = new Client({ name: 'official', version: '1' });
  await expect(client.connect(transport)).rejects.toThrow(/-33009/);
});

test('the official client gets an error above the limit of concurrent requests', async () => {
  const client = new Client({ name: 'official', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(http());
  running.core.settings.update({ mcpConcurrentRequests: 1 });
  onTestFinished(() => {
    running.core.settings.update({ mcpConcurrentRequests: 16 });
  });
  const controller = new AbortController();
  const heard = Promise.withResolvers<void>();
  const endlessCall = client.callTool(
    { name: 'execute_query', arguments: { connection_id: 'Open', query: endless } },
    { signal: controller.signal, onprogress: () => heard.resolve() },
  );
  await heard.promise;
  const list = () => client.callTool({ name: 'list_connections', arguments: {} });
  await expect(list()).rejects.toThrow(/-33010|429/);
  controller.abort();
  await expect(endlessCall).rejects.toThrow();
  await expect.poll(() => list().then(() => 'listed', String)).toBe('listed');
  await client.close();
});

test('revoking a token cancels its running calls', async () => {
  const { core, server } = running;
  const { token, secret } = core.tokens.create({
    name: 'short-lived',
    permission: 'readOnly',
    allowlist: null,
    expiresAt: null,
  });
  const transport = new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${server.port}/mcp`), {
    requestInit: { headers: { Authorization: `Bearer ${secret}` } },
  });
  const client = new Client({ name: 'official', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(transport);
  const call = client.callTool({
    name: 'execute_query',
    arguments: { connection_id: 'Open', query: endless },
  });
  await untilRunning(running, running.connections.open);
  core.tokens.revoke(token.id);
  expect(await call).toMatchObject({ isError: true });
  await expect(client.listTools({}, { cacheMode: 'bypass' })).rejects.toThrow(/-33009/);
  await client.close();
});
