import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Agent, request } from 'undici';
import type { WeaviateServer } from '../scripts/weaviate/server.ts';
import { withNewestWeaviate } from './newest-weaviate.ts';
import { ask, withApp, withHome } from './trestle.ts';

/** Batches that are sent without Trestle: as large as the driver's largest batch, and three at a time. */
export const batch = { rows: 500, underWay: 3 };

/**
 * A running app with a connection named Cluster to a real server. Clients may write to the server. The app and the
 * server are stopped after the work.
 */
export async function withCluster<Result>(
  work: (at: { server: WeaviateServer; home: string }) => Promise<Result>,
): Promise<Result> {
  return withNewestWeaviate((server) =>
    withHome((home) =>
      withApp(home, async () => {
        const list = join(home, 'cluster.json');
        const fields = { host: '127.0.0.1', port: server.port, authMethod: 'none', sslMode: 'disabled' };
        const levels = { externalClients: 'readWrite', aiPolicy: 'alwaysAllow' };
        const connection = { name: 'Cluster', driver: 'weaviate', fields, ...levels };
        writeFileSync(list, JSON.stringify({ connections: [connection] }));
        await ask(home, 'connections', 'import', list);
        return work({ server, home });
      }),
    ),
  );
}

export function makeRow(row: number) {
  const note = `What there is to say of ${row}, in a sentence of some length`;
  const properties = { title: `Title ${row}`, note, pages: row % 700, price: row / 7 };
  return { id: randomUUID(), properties };
}

/** Sends bodies of `/batch/objects`, `batch.underWay` at a time. */
export async function sendBatches(
  agent: Agent,
  server: WeaviateServer,
  bodies: Iterable<string>,
): Promise<void> {
  const waiting = bodies[Symbol.iterator]();
  const send = async () => {
    for (let next = waiting.next(); !next.done; next = waiting.next()) {
      const answer = await request(`${server.url}/v1/batch/objects`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: next.value,
        dispatcher: agent,
      });
      const results = (await answer.body.json()) as { result: { status: string } }[];
      if (results.some(({ result }) => result.status !== 'SUCCESS')) throw new Error('A batch failed');
    }
  };
  await Promise.all(Array.from({ length: batch.underWay }, send));
}

/** An empty collection for rows of `makeRow`. */
export async function freshTable(server: WeaviateServer): Promise<string> {
  const name = `Bench${randomUUID().slice(0, 8)}`;
  await schema(server, '', 'POST', {
    class: name,
    vectorizer: 'none',
    // Nothing is searched here, and an HNSW graph takes long to build.
    vectorIndexType: 'flat',
    properties: [
      { name: 'title', dataType: ['text'] },
      { name: 'note', dataType: ['text'] },
      { name: 'pages', dataType: ['int'] },
      { name: 'price', dataType: ['number'] },
    ],
  });
  return name;
}

export const dropTable = (server: WeaviateServer, name: string) => schema(server, `/${name}`, 'DELETE');

async function schema({ url }: WeaviateServer, path: string, method: string, body?: object): Promise<void> {
  const answer = await fetch(`${url}/v1/schema${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
}
