import { request } from 'undici';
import { clusteredVectors } from '../apps/ui/src/panels/vector-map/layout/clustered-vectors.ts';
import type { WeaviateServer } from '../scripts/weaviate/server.ts';
import { withNewestWeaviate } from './newest-weaviate.ts';

export const table = 'Mapped';
export const rows = Number(process.env.TRESTLE_MAP_ROWS ?? 50_000);
export const dimensions = Number(process.env.TRESTLE_MAP_DIMENSIONS ?? 1536);

export interface World {
  server: WeaviateServer;
  /** The vectors of the rows, in the order of `number`. */
  vectors: Float32Array;
}

/** A real server with rows whose vectors are similar to embeddings: twenty groups around centres. */
export async function withMapWorld<Result>(work: (world: World) => Promise<Result>): Promise<Result> {
  // Making the vectors takes long, so the server starts later. A running server would close an idle socket meanwhile.
  const vectors = makeVectors();
  return withNewestWeaviate(async (server) => {
    const properties = [
      { name: 'title', dataType: ['text'] },
      { name: 'topic', dataType: ['text'] },
      { name: 'number', dataType: ['int'] },
    ];
    await post(server, '/v1/schema', {
      class: table,
      vectorizer: 'none',
      // Nothing is searched here, and an HNSW graph takes long to build.
      vectorIndexType: 'flat',
      properties,
    });
    for (let first = 0; first < rows; first += batch) await store(server, vectors, first);
    return work({ server, vectors });
  });
}

/** Rows per request, so that it has some MB. */
const batch = Math.max(20, Math.floor(200_000 / dimensions));

function makeVectors(): Float32Array {
  // Small numbers with at most six decimals, like those of a real embedding.
  return clusteredVectors(rows, dimensions).map((value) => Math.round(value * 1e5) / 1e6);
}

async function store(server: WeaviateServer, vectors: Float32Array, first: number): Promise<void> {
  const objects = Array.from({ length: Math.min(batch, rows - first) }, (_, index) => {
    const number = first + index;
    const vector = Array.from(vectors.subarray(number * dimensions, (number + 1) * dimensions), (value) =>
      Number(value.toPrecision(7)),
    );
    return {
      class: table,
      properties: { title: `Note ${number}`, topic: `Topic ${number % 20}`, number },
      vector,
    };
  });
  await post(server, '/v1/batch/objects', { objects });
}

async function post(server: WeaviateServer, path: string, body: object): Promise<void> {
  const answer = await request(server.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await answer.body.text();
  if (answer.statusCode >= 300) throw new Error(`${path}: ${answer.statusCode} ${text}`);
}

/** Reads all rows with their vectors through the cursor, parses them and drops them. */
export async function readBare({ server }: World): Promise<void> {
  let after = '';
  let read = 0;
  for (;;) {
    const query = `class=${table}&limit=200&include=vector&after=${after}`;
    const answer = await request(`${server.url}/v1/objects?${query}`);
    const { objects } = JSON.parse(await answer.body.text()) as { objects: { id: string }[] };
    read += objects.length;
    if (objects.length < 200) break;
    after = objects.at(-1)!.id;
  }
  if (read !== rows) throw new Error(`The cursor gave ${read} of ${rows} rows`);
}
