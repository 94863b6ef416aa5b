import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  AggregateReplySchema,
  AggregateRequestSchema,
  connectPath,
  fromBinary,
  fromJson,
  type JsonValue,
  SearchReplySchema,
  SearchRequestSchema,
  toBinary,
  toJson,
} from '@trestle/weaviate-connect';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { startWeaviate, type WeaviateServer } from '../../scripts/weaviate/server.ts';
import { newestWeaviate } from '../../scripts/weaviate/versions.ts';
import { rest } from './servers.ts';

const server = inject('weaviateServers').find(({ version }) => version === newestWeaviate);
const id = (number: number) => `77777777-7777-4777-8777-00000000000${number}`;
const media = ['image', 'audio', 'video', 'depth', 'thermal', 'imu'] as const;

type Json = { [key: string]: JsonValue };

/** As connect-fields.test.ts does it, for the fields that a module of the server must answer. */
describe.skipIf(!server)('each field of a Connect request for a module changes the answer', () => {
  const encoder = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    response.setHeader('content-type', 'application/json');
    if (request.method === 'GET') return response.end('{}');
    const asked = JSON.parse(body) as { [list: string]: string[] | null };
    const vectors = Object.entries(asked).map(([list, given]) => [vectorsName(list), given?.map(encoded)]);
    return response.end(JSON.stringify(Object.fromEntries(vectors)));
  });
  let running: WeaviateServer;

  beforeAll(async () => {
    await new Promise<void>((ready) => encoder.listen(0, '127.0.0.1', ready));
    const environment = {
      ENABLE_MODULES: 'multi2vec-bind,generative-dummy,reranker-dummy',
      BIND_INFERENCE_API: `http://127.0.0.1:${(encoder.address() as AddressInfo).port}`,
      DISABLE_GRAPHQL: 'true',
    };
    running = await startWeaviate({ binary: server!.binary, environment });
    const text = { dataType: ['text'] };
    const bind = Object.fromEntries(media.map((one) => [`${one === 'imu' ? 'IMU' : one}Fields`, [one]]));
    const space = { vectorizer: { 'multi2vec-bind': bind }, vectorIndexType: 'flat' };
    await rest(running.port, 'POST', '/schema', {
      class: 'Media',
      vectorConfig: { all: space, plain: { vectorizer: { none: {} }, vectorIndexType: 'flat' } },
      moduleConfig: { 'generative-dummy': {}, 'reranker-dummy': {} },
      properties: [
        { name: 'title', ...text },
        { name: 'note', ...text },
        { name: 'n', dataType: ['int'] },
        ...media.map((name) => ({ name, dataType: ['blob'] })),
      ],
    });
    for (const number of [0, 1, 2]) {
      const [title, note] = ['t'.repeat(number + 1), 'n'.repeat(9 - number)];
      const properties = { title, note, n: number, image: content(number) };
      const vectors = { plain: [number, 1, 0] };
      await rest(running.port, 'POST', '/objects', { class: 'Media', id: id(number), properties, vectors });
    }
  }, 120_000);
  afterAll(async () => {
    await running?.stop();
    encoder.close();
  });

  async function send(json: Json): Promise<unknown> {
    const body = toBinary(SearchRequestSchema, fromJson(SearchRequestSchema, json));
    const reply = fromBinary(SearchReplySchema, await post('Search', body));
    return { ...(toJson(SearchReplySchema, reply) as Json), took: 0 };
  }

  async function aggregate(json: Json): Promise<unknown> {
    const body = toBinary(AggregateRequestSchema, fromJson(AggregateRequestSchema, json));
    const reply = fromBinary(AggregateReplySchema, await post('Aggregate', body));
    return { ...(toJson(AggregateReplySchema, reply) as Json), took: 0 };
  }

  async function post(method: 'Search' | 'Aggregate', message: Uint8Array): Promise<Uint8Array> {
    const headers = { 'content-type': 'application/proto', 'connect-protocol-version': '1' };
    const address = `http://127.0.0.1:${running.port}${connectPath(method)}`;
    const answer = await fetch(address, { method: 'POST', headers, body: Buffer.from(message) });
    const bytes = new Uint8Array(await answer.arrayBuffer());
    if (answer.status !== 200) throw new Error(Buffer.from(bytes).toString('utf8'));
    return bytes;
  }

  const base: Json = {
    collection: 'Media',
    uses127Api: true,
    limit: 3,
    metadata: { uuid: true, distance: true, certainty: true },
    properties: { nonRefProperties: ['title'] },
  };
  test.each(media)('near %s: the medium, the limits and the targets', async (name) => {
    const key = `near${name[0]!.toUpperCase()}${name.slice(1)}`;
    const search = (number: number, more: Json = {}): Json => ({
      [key]: { [name]: content(number), targets: { targetVectors: ['all'] }, ...more },
    });
    const near = (number: number, more?: Json): Json => ({ ...base, ...search(number, more) });
    const one = await send(near(0));
    expect(await send(near(2))).not.toEqual(one);
    expect(await send(near(0, { distance: 0.001 }))).not.toEqual(one);
    expect(await send(near(0, { certainty: 0.999 }))).not.toEqual(one);
    await expect(send(near(0, { targets: { targetVectors: ['plain'] } }))).rejects.toThrow('plain');
    const sum = {
      collection: 'Media',
      aggregations: [{ property: 'n', int: { sum: true } }],
      objectLimit: 1,
    };
    expect(await aggregate({ ...sum, ...search(0) })).not.toEqual(await aggregate({ ...sum, ...search(2) }));
  });

  const reranked = (property: string, query?: string): Json => ({
    ...base,
    rerank: { property, ...(query !== undefined && { query }) },
  });
  const generated = (generative: Json): Json => ({ ...base, generative });
  const single = (more: Json) => generated({ single: { prompt: 'Say {title}', ...more } });
  const grouped = (more: Json) => generated({ grouped: { task: 'Sum up', ...more } });
  const titles = { properties: { values: ['title'] } };

  // The modules for tests ignore the query of a rerank, and `debug`.
  test.each<[string, Json, Json]>([
    ['rerank', base, reranked('title', 'tt')],
    ['rerank.property', reranked('title', 'tt'), reranked('note', 'tt')],
    ['generative.single', base, single({})],
    ['single.prompt', single({}), single({ prompt: 'Write {title}' })],
    ['generative.grouped', base, grouped({})],
    ['grouped.task', grouped(titles), grouped({ ...titles, task: 'Compare' })],
    ['grouped.properties', grouped(titles), grouped({ properties: { values: ['note'] } })],
    ['uses127Api', single({}), { ...single({}), uses127Api: false }],
  ])('%s', async (_field, one, another) => {
    expect(await send(one)).not.toEqual(await send(another));
  });

  test('a provider in `queries` takes the place of the module of the collection', async () => {
    const queries = [{ openai: { model: 'm' } }];
    for (const request of [single({ queries }), grouped({ queries })])
      await expect(send(request)).rejects.toThrow('OpenAI');
  });
});

/** Base64 has four characters for three bytes. So each number has another length. */
function content(number: number): string {
  return 'eHh4'.repeat(number + 1);
}

/** The vectors of contents of different lengths have different directions. */
function encoded(content: string): number[] {
  return [content.length, 10, 0];
}

/** The encoder gets `images`, and answers with `imageVectors`. */
function vectorsName(list: string): string {
  return `${list.replace(/^(text|image)s$/, '$1')}Vectors`;
}
