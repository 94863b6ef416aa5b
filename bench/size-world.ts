import { randomUUID } from 'node:crypto';
import { Agent, request } from 'undici';
import type { WeaviateServer } from '../scripts/weaviate/server.ts';
import { withNewestWeaviate } from './newest-weaviate.ts';

export const table = 'Sized';
const dimensions = 8;
const batch = 1_000;

/** A real server with an empty collection. */
export async function withEmptyWeaviate<Result>(
  work: (server: WeaviateServer) => Promise<Result>,
): Promise<Result> {
  return withNewestWeaviate(async (server) => {
    await send(`${server.url}/v1/schema`, {
      class: table,
      vectorizer: 'none',
      // Nothing is searched here, and an HNSW graph takes long to build.
      vectorIndexType: 'flat',
      properties: [
        { name: 'title', dataType: ['text'] },
        { name: 'pages', dataType: ['int'] },
        { name: 'price', dataType: ['number'] },
      ],
    });
    return work(server);
  });
}

let stored = 0;

/** Adds objects until the collection has `count` objects. */
export async function grow(server: WeaviateServer, count: number): Promise<void> {
  const agent = new Agent({ connections: 2 });
  const fill = async () => {
    while (stored < count) {
      const first = stored;
      stored += batch;
      const objects = Array.from({ length: Math.min(batch, count - first) }, (_, index) =>
        objectAt(first + index),
      );
      await send(`${server.url}/v1/batch/objects`, { objects }, agent);
    }
  };
  await Promise.all([fill(), fill()]);
  stored = count;
  await agent.close();
}

function objectAt(row: number) {
  return {
    class: table,
    id: randomUUID(),
    properties: { title: `Title ${row}`, pages: row % 100, price: ((row * 7_919) % 1_000_003) / 7 },
    vector: Array.from({ length: dimensions }, () => Math.random() - 0.5),
  };
}

async function send(url: string, body: object, dispatcher?: Agent): Promise<void> {
  const answer = await request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(dispatcher && { dispatcher }),
  });
  const text = await answer.body.text();
  if (answer.statusCode !== 200) throw new Error(`${url}: ${answer.statusCode} ${text}`);
}
