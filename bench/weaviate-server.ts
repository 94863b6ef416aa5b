import type { WeaviateServer } from '../scripts/weaviate/server.ts';
import { withNewestWeaviate } from './newest-weaviate.ts';

export const dimensions = 1536;
/** As many rows as the largest page of a window. */
export const withVectors = { name: 'Vectors', count: 1_000 };
/** Enough rows for several batches of an export. */
export const withoutVectors = { name: 'Facts', count: 20_000 };

/** The same rows as `withVectors`, with a named vector. */
export const namedVectors = { name: 'Named', count: 1_000 };

/** A real server with two collections with vectors and one without. The server is stopped after the work. */
export async function withWeaviate<Result>(
  work: (server: WeaviateServer) => Promise<Result>,
): Promise<Result> {
  return withNewestWeaviate(async (server) => {
    // Nothing is searched here, and an HNSW graph takes long to build.
    const flat = { vectorIndexType: 'flat' };
    const named = { vectorConfig: { v: { ...flat, vectorizer: { none: {} } } } };
    for (const { name } of [withVectors, withoutVectors, namedVectors]) {
      await post(server, '/v1/schema', {
        class: name,
        ...(name === namedVectors.name ? named : { ...flat, vectorizer: 'none' }),
        properties: [
          { name: 'title', dataType: ['text'] },
          { name: 'note', dataType: ['text'] },
          { name: 'pages', dataType: ['int'] },
          { name: 'price', dataType: ['number'] },
        ],
      });
    }
    const vector = () => Array.from({ length: dimensions }, () => Math.random() - 0.5);
    await fill(server, withVectors, () => ({ vector: vector() }));
    await fill(server, namedVectors, () => ({ vectors: { v: vector() } }));
    await fill(server, withoutVectors, () => ({}));
    return work(server);
  });
}

async function fill(
  server: WeaviateServer,
  { name, count }: typeof withVectors,
  vectors: () => object,
): Promise<void> {
  for (let first = 0; first < count; first += 500) {
    const objects = Array.from({ length: Math.min(500, count - first) }, (_, index) => {
      const row = first + index;
      const note = `What there is to say of ${row}, in a sentence of some length`;
      return {
        class: name,
        properties: { title: `Title ${row}`, note, pages: row % 700, price: row / 7 },
        ...vectors(),
      };
    });
    await post(server, '/v1/batch/objects', { objects });
  }
}

async function post(server: WeaviateServer, path: string, body: object): Promise<void> {
  const answer = await fetch(server.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
}
