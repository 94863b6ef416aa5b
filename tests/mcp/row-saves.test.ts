import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { startVectorNode } from '@trestle/vector-node';
import { expect, onTestFinished, test } from 'vitest';
import { weaviateRest } from '../contract/weaviate-target.ts';
import { startHttpProxy } from '../faults/http-proxy.ts';
import { runServer } from './running-server.ts';

/** A client of the server, and a connection to the sample node through a proxy that a test can slow down or break. */
async function begin(options: Parameters<typeof runServer>[0] = {}) {
  const node = await startVectorNode();
  onTestFinished(() => node.stop());
  await weaviateRest(node.port, 'POST', '/schema', {
    class: 'Saved',
    vectorizer: 'none',
    properties: [{ name: 'ordinal', dataType: ['int'] }],
  });
  const proxy = await startHttpProxy(node.port);
  onTestFinished(() => proxy.close());
  const running = await runServer(options);
  onTestFinished(() => running.close());
  const { id } = await running.connectWeaviate('Slow', proxy.port);
  const { signal } = new AbortController();
  await running.core.sessions.open({ caller: { kind: 'person' }, connectionId: id, signal });
  const client = new Client({ name: 'test', version: '1' });
  const headers = { authorization: `Bearer ${running.token}` };
  const url = new URL(`http://127.0.0.1:${running.server.port}/mcp`);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  onTestFinished(() => client.close());
  const stored = async () => {
    const query = '{ Aggregate { Saved { meta { count } } } }';
    const answer = (await weaviateRest(node.port, 'POST', '/graphql', { query })) as {
      data: { Aggregate: { Saved: { meta: { count: number } }[] } };
    };
    return answer.data.Aggregate.Saved[0]!.meta.count;
  };
  return { proxy, client, stored, running };
}

const rows = (count: number) => Array.from({ length: count }, (_, ordinal) => ({ ordinal }));

async function insert(client: Client, count: number, told: string[] = []) {
  const call = {
    name: 'insert_rows',
    arguments: { connection_id: 'Slow', table: 'Saved', rows: rows(count) },
  };
  const { content } = await client.callTool(call, {
    onprogress: ({ message }) => told.push(message ?? ''),
  });
  return (content as { text: string }[])[0]!.text;
}

test('a client that asked for progress hears how many rows are saved', async () => {
  const { proxy, client, stored } = await begin();
  proxy.delayMs = 20;
  const told: string[] = [];
  const text = await insert(client, 400, told);
  expect(text).toMatch(/^400 inserted\b/);
  expect(await stored()).toBe(400);
  expect(told.length).toBeGreaterThan(1);
  for (const message of told) expect(message).toMatch(/^\d+ of 400 rows$/);
});

test('a call past its deadline says how many rows are saved, and why the others are not', async () => {
  const { proxy, client, stored, running } = await begin({ handlerDeadlineMs: 6_000 });
  proxy.delayMs = 100;
  const text = await insert(client, 1_000);
  const applied = await stored();
  expect(applied).toBeGreaterThan(0);
  expect(applied).toBeLessThan(1_000);
  expect(text).toMatch(new RegExp(`\\b${applied} inserted\\b`));
  expect(text).toContain('did not end within 6 s');
  expect(text).toMatch(/^rows [\d, -]*-999 failed: Not sent: The call did not end within 6 s\.$/m);
  expect(text).not.toContain('unknown');
  const [entry] = running.core.activity.list({ limit: 1 });
  expect(entry).toMatchObject({ action: 'applyChanges', outcome: 'cancelled', rows: applied });
});

test('if the connection is lost during a call, stored rows and possibly stored rows are reported', async () => {
  const { proxy, client, stored } = await begin();
  let writes = 0;
  proxy.decide = ({ method, path }) => {
    if (method === 'POST' && path === '/v1/objects') writes++;
    // Requests that look for the rows fail too.
    return writes > 50 && path.startsWith('/v1/objects') ? 'resetAfter' : 'pass';
  };
  const text = await insert(client, 300);
  expect(text).toMatch(/\b50 inserted\b/);
  expect(text).toContain('unknown');
  expect(text).toMatch(/^row \d+ may be stored as uuid [0-9a-f-]{36}$/m);
  expect(text).toContain('Not sent');
  expect(await stored()).toBe(writes);
});
