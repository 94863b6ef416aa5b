import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, onTestFinished } from 'vitest';
import { weaviateRest } from '../contract/weaviate-target.ts';
import { startApp, type TestApp } from '../e2e/app.ts';
import { type Fate, startHttpProxy } from '../faults/http-proxy.ts';
import { bridgeFile } from './running-server.ts';

const count = 1_000;

/**
 * A client of the bridge inserts 1,000 rows while a proxy between app and database breaks some requests.
 * The answer must name each row that is not known to be stored. The database must hold each of the other rows
 * exactly once.
 */
export async function proveBridgeSaves(port: number): Promise<void> {
  const table = `Bridged${randomUUID().slice(0, 8)}`;
  const properties = [{ name: 'ordinal', dataType: ['int'] }];
  await weaviateRest(port, 'POST', '/schema', { class: table, vectorizer: 'none', properties });
  onTestFinished(async () => void (await weaviateRest(port, 'DELETE', `/schema/${table}`)));
  const proxy = await startHttpProxy(port);
  onTestFinished(() => proxy.close());
  const app = await startApp();
  onTestFinished(() => app.close());
  await importCluster(app, proxy.port);
  const client = await connectBridge(app);
  // Without rows, `insert` browses the table. This opens the connection before the faults begin.
  await insert(client, table, []);

  proxy.delayMs = 2;
  let writes = 0;
  const single: Record<number, Fate> = { 100: 'reset', 200: 'resetAfter', 300: 'cut' };
  proxy.decide = ({ method, path }) => {
    // After the 600th write, requests that look for a row fail too.
    if (method !== 'POST' || path !== '/v1/objects')
      return writes > 600 && path.startsWith('/v1/objects') ? 'reset' : 'pass';
    writes++;
    return single[writes] ?? (writes > 600 ? 'resetAfter' : 'pass');
  };
  const rows = Array.from({ length: count }, (_, ordinal) => ({ ordinal }));
  const { text, told } = await insert(client, table, rows);

  const progress = told.filter((message) => /^\d+ of 1000 rows$/.test(message));
  expect(progress.length).toBeGreaterThan(1);
  const named = namedRows(text);
  const applied = rows.filter(({ ordinal }) => !named.has(ordinal)).map(({ ordinal }) => ordinal);
  expect(text).toContain(`${applied.length} inserted`);
  expect(applied.length).toBeGreaterThan(500);
  const stored = await ordinals(port, table);
  // No row is stored twice, and every row that is not named is stored.
  expect(new Set(stored).size).toBe(stored.length);
  expect(applied.filter((ordinal) => !stored.includes(ordinal))).toEqual([]);
  const statusOf = (ordinal: number) => named.get(ordinal) ?? 'applied';
  expect(stored.filter((ordinal) => statusOf(ordinal) === 'failed')).toEqual([]);
  // The row whose request never arrived is unknown. So are rows under way when the server stopped answering.
  const unknown = [...named.values()].filter((status) => status === 'unknown').length;
  expect(unknown).toBeGreaterThanOrEqual(2);
  expect(text).toMatch(/^rows? [\d, -]+ unknown: Sent, but the answer never came: .+/m);
  expect(text).toMatch(/^rows? [\d, -]*-999 failed: Not sent, since the server no longer answers: .+/m);
  expect(text).not.toMatch(/Not sent.*Sent, but/);
}

/** The index of each row that the answer names, with its status. */
function namedRows(text: string): Map<number, string> {
  const named = new Map<number, string>();
  for (const [, ranges, status] of text.matchAll(/^rows? ([\d, -]+) (failed|unknown|skipped): /gm)) {
    for (const range of ranges!.split(', ')) {
      const [first, last = first] = range.split('-').map(Number);
      for (let index = first!; index <= last!; index++) named.set(index, status!);
    }
  }
  return named;
}

async function insert(client: Client, table: string, rows: object[]) {
  const told: string[] = [];
  const name = rows.length > 0 ? 'insert_rows' : 'browse_table';
  const args = { connection_id: 'Bridged', table, ...(rows.length > 0 && { rows }) };
  const { content } = await client.callTool(
    { name, arguments: args },
    { onprogress: ({ message }) => told.push(message ?? ''), timeout: 300_000 },
  );
  return { told, text: (content as { text: string }[])[0]!.text };
}

async function connectBridge(app: TestApp): Promise<Client> {
  const client = new Client({ name: 'bridged', version: '1' });
  const env = { HOME: app.folder, TRESTLE_HOME: app.folder, PATH: process.env.PATH ?? '' };
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [bridgeFile], env }));
  onTestFinished(() => client.close());
  return client;
}

async function importCluster(app: TestApp, port: number): Promise<void> {
  const file = join(app.folder, 'bridged.json');
  const connection = {
    name: 'Bridged',
    driver: 'weaviate',
    fields: { host: '127.0.0.1', port, authMethod: 'none', sslMode: 'disabled' },
    externalClients: 'readWrite',
    aiPolicy: 'alwaysAllow',
  };
  writeFileSync(file, JSON.stringify({ connections: [connection] }));
  const { code, stderr } = await app.run('connections', 'import', file);
  expect([code, stderr]).toEqual([0, '']);
}

async function ordinals(port: number, table: string): Promise<number[]> {
  const { objects } = (await weaviateRest(port, 'GET', `/objects?class=${table}&limit=2000`)) as {
    objects: { properties: { ordinal: number } }[];
  };
  return objects.map(({ properties }) => properties.ordinal);
}
