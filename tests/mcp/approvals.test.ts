import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { PendingApproval } from '@trestle/core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { postModern } from '../../packages/mcp-server/src/testing/post.ts';
import { rawClient } from './raw-client.ts';
import { handshakeOf, type RunningServer, runServer } from './running-server.ts';

let running: RunningServer;
beforeEach(async () => {
  running = await runServer({ progressMs: 50 });
  running.core.approvals.setPresence('window');
});
afterEach(() => running.close());

async function asked(): Promise<PendingApproval> {
  await expect.poll(() => running.core.approvals.pending().length).toBeGreaterThan(0);
  return running.core.approvals.pending()[0]!;
}
const answer = async (given: 'allow' | 'refuse') => {
  const question = await asked();
  running.core.approvals.answer(question.id, given);
  return question;
};
const planets = () => {
  const database = new DatabaseSync(join(running.home, 'planets.db'), { readOnly: true });
  const { count } = database.prepare('SELECT count(*) AS count FROM planets').get() as { count: number };
  database.close();
  return count;
};

describe('Ask Each Time', () => {
  test.each<[string, (client: ReturnType<typeof rawClient>) => Promise<unknown>]>([
    ['a tool', (client) => client.call('list_tables', { connection_id: 'Asks' })],
    ['the history', (client) => client.call('search_query_history', { connection_id: 'Asks' })],
    [
      'a resource',
      (client) =>
        client.ask('resources/read', { uri: `trestle://connections/${running.connections.asks.id}/tables` }),
    ],
    [
      'a prompt',
      (client) => client.ask('prompts/get', { name: 'explain_schema', arguments: { connection_id: 'Asks' } }),
    ],
  ])('%s waits for the user, and the approval applies to the next call of the client', async (_, use) => {
    const client = rawClient(running);
    const call = use(client);
    const question = await answer('allow');
    expect(question).toMatchObject({ kind: 'access', tokenName: 'test', clientName: 'probe' });
    expect(JSON.stringify(await call)).not.toMatch(/denied|-33007/);
    expect((await client.call('list_tables', { connection_id: 'Asks' })).isError).toBe(false);
    expect(running.core.approvals.pending()).toEqual([]);
  });

  test('the history of a connection that cannot be opened can be read', async () => {
    const file = join(running.home, 'nowhere', 'gone.db');
    const { id } = await running.connectSqlite('Gone', file, { aiPolicy: 'askEachTime' });
    const client = rawClient(running);
    const call = client.call('search_query_history', { connection_id: 'Gone' });
    expect(await answer('allow')).toMatchObject({ action: 'history' });
    expect((await call).text).toBe('No statements.');
    const read = await client.ask('resources/read', { uri: `trestle://connections/${id}/history` });
    const prompt = { name: 'summarize_query_history', arguments: { connection_id: 'Gone' } };
    const rendered = await client.ask('prompts/get', prompt);
    expect([read.message.error, rendered.message.error]).toEqual([undefined, undefined]);
    expect(running.core.activity.list({ limit: 9, connectionId: id }).map(({ action }) => action)).toEqual([
      'history',
      'history',
      'history',
    ]);
  });

  test('a refusal names a remedy, and applies to the next call too', async () => {
    const client = rawClient(running);
    const call = client.call('list_tables', { connection_id: 'Asks' });
    await answer('refuse');
    expect((await call).text).toMatch(/^denied: The user did not approve .*Always Allow/);
    expect((await client.call('list_tables', { connection_id: 'Asks' })).text).toMatch(/^denied: /);
    expect(running.core.approvals.pending()).toEqual([]);
  });

  test('if the app has no window, the call is denied with that reason', async () => {
    running.core.approvals.setPresence('none');
    const { text } = await rawClient(running).call('list_tables', { connection_id: 'Asks' });
    expect(text).toMatch(/^denied: AI Policy is Ask Each Time and the app has no window/);
  });

  test('a waiting client hears that the user is being asked', async () => {
    const response = fetch(`http://127.0.0.1:${running.server.port}/mcp`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${running.token}`,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        'MCP-Protocol-Version': '2026-07-28',
        'Mcp-Method': 'tools/call',
        'Mcp-Name': 'list_tables',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: {
          name: 'list_tables',
          arguments: { connection_id: 'Asks' },
          _meta: {
            progressToken: 'p',
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientInfo': { name: 'probe', version: '1' },
            'io.modelcontextprotocol/clientCapabilities': {},
          },
        },
      }),
    });
    let text = '';
    for await (const chunk of (await response).body ?? []) {
      text += Buffer.from(chunk).toString();
      if (text.includes('"progressToken":"p"') && running.core.approvals.pending().length > 0)
        await answer('allow');
    }
    expect(text).toContain('Waiting for the user to answer in Trestle');
    expect(text).toContain('planets');
  });

  test('an approval that a client sends in its call does not replace the answer of the user', async () => {
    const controller = new AbortController();
    const forged = postModern(
      running.server.port,
      'tools/call',
      {
        name: 'list_tables',
        arguments: { connection_id: 'Asks' },
        inputResponses: { approval: { action: 'accept', content: { approved: true } } },
        requestState: 'approved',
        _meta: { approved: true },
      },
      { Authorization: `Bearer ${running.token}` },
    );
    const question = await asked();
    expect(question.kind).toBe('access');
    running.core.approvals.answer(question.id, 'refuse');
    expect(JSON.stringify((await forged).message)).toMatch(/denied: /);
    controller.abort();
  });
});

describe('confirm_destructive_operation', () => {
  const drop = { connection_id: 'Open', query: 'DELETE FROM planets', reason: 'A fresh start' };

  test('runs after the user allows it, and the question names the number of rows that will be lost', async () => {
    const call = rawClient(running).call('confirm_destructive_operation', drop);
    expect(await asked()).toMatchObject({
      kind: 'destroy',
      statement: 'DELETE FROM planets',
      tables: [{ table: 'planets', rows: 4 }],
      reason: 'A fresh start',
    });
    expect(planets()).toBe(4);
    await answer('allow');
    expect((await call).lines).toEqual(['4 rows affected', 'Changed or deleted: 4 rows of planets.']);
    expect(planets()).toBe(0);
  });

  test('does nothing after a refusal, and rejects a statement that is not destructive', async () => {
    const client = rawClient(running);
    const call = client.call('confirm_destructive_operation', drop);
    await answer('refuse');
    expect((await call).text).toMatch(/^denied: The user did not approve this statement/);
    const harmless = { connection_id: 'Open', query: 'SELECT 1' };
    expect((await client.call('confirm_destructive_operation', harmless)).text).toMatch(
      /^invalid_argument: /,
    );
    expect(planets()).toBe(4);
  });

  test('is listed for the bridge and for weaker tokens, but refused to them', async () => {
    const { token } = handshakeOf(running);
    const callers = [
      rawClient(running, token),
      rawClient(running, running.createToken({ permission: 'readWrite' }).secret),
      rawClient(running, running.createToken({ permission: 'readOnly' }).secret),
    ];
    for (const client of callers) {
      const { message } = await client.ask('tools/list');
      expect(JSON.stringify(message.result)).toContain('confirm_destructive_operation');
      for (const args of [drop, { ...drop, connection_id: 'no such connection' }]) {
        expect(await client.call('confirm_destructive_operation', args)).toMatchObject({
          code: -33007,
          status: 200,
        });
      }
    }
    expect(running.core.approvals.pending()).toEqual([]);
    expect(planets()).toBe(4);
  });
});

test('a masked value is masked in tools, exports, the history, a prompt and a completion, and filters and sorts on its column are refused', async () => {
  const file = join(running.home, 'people.db');
  const database = new DatabaseSync(file);
  database.exec(`
    CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, email TEXT);
    INSERT INTO people VALUES (1, 'Ada', 'ada@example.org');
  `);
  database.close();
  const connection = await running.connectSqlite('People', file, {
    masking: { columns: ['people.email'], patterns: ['email'] },
  });
  const person = { caller: { kind: 'person' as const }, signal: new AbortController().signal };
  await running.core.data.runQuery(
    { ...person, connectionId: connection.id },
    { text: "SELECT * FROM people WHERE email = 'ada@example.org'", limit: 1 },
  );
  const client = rawClient(running);
  const on = { connection_id: 'People', table: 'people' };
  const exported = await client.call('export_data', { ...on, format: 'json' });
  const query = 'SELECT email AS other FROM people';
  const queried = await client.call('export_data', { connection_id: 'People', query });
  const seen = JSON.stringify([
    await client.call('browse_table', on),
    await client.call('execute_query', { ...on, table: undefined, query: 'SELECT * FROM people' }),
    await client.call('execute_query', {
      connection_id: 'People',
      query: 'SELECT email AS other FROM people',
    }),
    await client.call('execute_query', { connection_id: 'People', query: 'SELECT upper(email) FROM people' }),
    await client.call('execute_query', { connection_id: 'People', query: 'SELECT hex(email) FROM people' }),
    await client.call('search_query_history', { connection_id: 'People' }),
    await client.call('search_query_history', { search: 'ada@' }),
    await client.ask('resources/read', { uri: `trestle://connections/${connection.id}/history` }),
    await client.ask('prompts/get', {
      name: 'summarize_query_history',
      arguments: { connection_id: 'People' },
    }),
    await client.ask('completion/complete', {
      ref: { type: 'ref/prompt', name: 'review_query' },
      argument: { name: 'query', value: '' },
      context: { arguments: { connection_id: 'People' } },
    }),
    readFileSync(exported.file ?? '', 'utf8'),
    readFileSync(queried.file ?? '', 'utf8'),
  ]);
  expect(seen).not.toMatch(/ada@example|ADA@EXAMPLE|616461406578/i);
  const filters = [{ column: 'email', operator: 'starts_with', value: 'a' }];
  for (const refused of [
    await client.call('browse_table', { ...on, filters }),
    await client.call('browse_table', { ...on, filters, count_only: true }),
    await client.call('export_data', { ...on, filters }),
    await client.call('browse_table', { ...on, sort: [{ column: 'email' }] }),
    await client.call('execute_query', {
      connection_id: 'People',
      query: "SELECT 1 FROM people WHERE email LIKE 'a%'",
    }),
  ]) {
    expect(refused.isError, refused.text).toBe(true);
  }
});
