import { expect } from 'vitest';
import { importConnections, type TestApp } from './app.ts';
import { serverKey } from './weaviate-servers.ts';

export interface Song {
  title: string;
  kind: string;
  vectors: Record<string, number[]>;
}

const dimensions = 6;

/**
 * Songs with the vectors `sound` and `words`. In three pairs of songs, one vector is equal or almost equal. Two songs
 * lack `sound`.
 */
export const songs: Song[] = Array.from({ length: 40 }, (_, at) => ({
  title: `Song ${String(at).padStart(2, '0')}`,
  kind: at % 2 === 0 ? 'live' : 'studio',
  vectors: { ...(at < 38 && { sound: vectorOf(at, 1) }), words: vectorOf(at, 2) },
}));
songs[30]!.vectors.sound = songs[4]!.vectors.sound!.map((value, at) => value + (at === 0 ? 0.01 : 0));
songs[31]!.vectors.sound = songs[5]!.vectors.sound!;
songs[32]!.vectors.words = songs[7]!.vectors.words!;

function vectorOf(row: number, seed: number): number[] {
  return Array.from({ length: dimensions }, (_, at) => {
    const value = Math.sin((row * dimensions + at) * 78.233 + seed * 37.719) * 43758.5453;
    return Number((value - Math.floor(value) - 0.5).toFixed(4));
  });
}

export function distanceOf(a: number[], b: number[]): number {
  const dot = (one: number[], two: number[]) => one.reduce((sum, value, at) => sum + value * two[at]!, 0);
  return 1 - dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}

/** For each song that has this vector: the other songs that have the vector, nearest first. */
export function nearestSongs(
  vector: string,
  among = songs,
): Map<string, { title: string; distance: number }[]> {
  const known = among.filter(({ vectors }) => vectors[vector]);
  return new Map(
    known.map(({ title, vectors }) => [
      title,
      known
        .filter((other) => other.title !== title)
        .map((other) => ({
          title: other.title,
          distance: distanceOf(vectors[vector]!, other.vectors[vector]!),
        }))
        .sort((a, b) => a.distance - b.distance),
    ]),
  );
}

/** Pairs of songs whose distance is at most `threshold`, each as `Song 01 Song 02`, in alphabetical order. */
export function nearPairs(vector: string, threshold: number, among = songs): string[] {
  const pairs = [...nearestSongs(vector, among)].flatMap(([title, others]) =>
    others
      .filter(({ distance }) => distance <= threshold)
      .map((other) => [title, other.title].sort().join(' ')),
  );
  return [...new Set(pairs)].sort();
}

/** Creates the collection Songs, stores the songs in its tenant `acme`, and adds a connection to the server. */
export async function seedSongs(app: TestApp, port: number): Promise<void> {
  const rest = async (method: string, path: string, body: unknown) => {
    const headers = { authorization: `Bearer ${serverKey}`, 'content-type': 'application/json' };
    const address = `http://127.0.0.1:${port}/v1${path}`;
    const answer = await fetch(address, { method, headers, body: JSON.stringify(body) });
    expect([answer.status, answer.ok ? '' : await answer.text()]).toEqual([200, '']);
  };
  const vector = { vectorizer: { none: {} }, vectorIndexType: 'hnsw' };
  await rest('POST', '/schema', {
    class: 'Songs',
    multiTenancyConfig: { enabled: true },
    vectorConfig: { sound: vector, words: vector },
    properties: ['title', 'kind'].map((name) => ({ name, dataType: ['text'] })),
  });
  await rest('POST', '/schema/Songs/tenants', [{ name: 'acme' }, { name: 'beta' }]);
  for (const [at, { title, kind, vectors }] of songs.entries()) {
    const id = `33333333-3333-4333-8333-${String(at).padStart(12, '0')}`;
    await rest('POST', '/objects', {
      class: 'Songs',
      id,
      tenant: 'acme',
      vectors,
      properties: { title, kind },
    });
  }
  const fields = { host: '127.0.0.1', port, authMethod: 'apiKey', apiKey: serverKey };
  await importConnections(app, [{ name: 'Cluster', driver: 'weaviate', fields }]);
}
