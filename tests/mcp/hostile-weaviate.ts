import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A Weaviate that answers anything. `mode` can change at any time. */
export interface HostileWeaviate {
  port: number;
  mode: Mode;
  close(): Promise<void>;
}

export type Mode = (typeof modes)[number];

/** Where the server puts its lie. */
export const modes = [
  'data and schema',
  'errors beside data',
  'GraphQL errors',
  'JSON errors',
  'plain errors',
  'forbidden',
  'server errors',
  'redirects',
  'not JSON',
  'version',
  'unauthenticated',
] as const;

export async function startHostileWeaviate(lie: string): Promise<HostileWeaviate> {
  const server = createServer((request, response) => {
    request.resume();
    answer(response, hostile, { path: request.url ?? '', method: request.method ?? '', lie });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const hostile: HostileWeaviate = {
    port: (server.address() as AddressInfo).port,
    mode: 'data and schema',
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
  return hostile;
}

interface Asked {
  path: string;
  method: string;
  lie: string;
}

function answer(response: ServerResponse, { mode }: HostileWeaviate, asked: Asked): void {
  const { status, type = 'application/json', headers = {}, body } = answerOf(mode, asked);
  // A reason phrase and a header take only some characters.
  const plain = asked.lie.replace(/[^ -~]/g, ' ');
  response.writeHead(status, plain, { 'content-type': type, 'x-note': plain, ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

interface Answered {
  status: number;
  type?: string;
  headers?: Record<string, string>;
  body: unknown;
}

function answerOf(mode: Mode, { path, method, lie }: Asked): Answered {
  if (mode === 'unauthenticated') return { status: 401, body: { error: lie, message: lie } };
  if (path === '/v1/meta') return { status: 200, body: metaOf(mode === 'version' ? lie : '1.27.27', lie) };
  if (path.startsWith('/v1/schema') && method === 'GET' && readable.has(mode)) {
    return { status: 200, body: path === '/v1/schema' ? { classes: [thing(lie)] } : thing(lie) };
  }
  const isGraphql = path.startsWith('/v1/graphql');
  const errors = [{ message: lie, path: [lie, 'Get'], locations: [{ line: 1, column: 1 }] }];
  const refused = { error: [{ message: lie }], code: 422, message: lie };
  const honest = isGraphql
    ? { data: graphqlData(lie) }
    : { objects: [object(lie)], ...object(lie), [lie]: lie };
  const answers: Record<Exclude<Mode, 'unauthenticated'>, Answered> = {
    'data and schema': { status: 200, body: honest },
    version: { status: 200, body: honest },
    'errors beside data': { status: 200, body: isGraphql ? { ...honest, errors } : honest },
    'GraphQL errors': isGraphql ? { status: 200, body: { errors } } : { status: 422, body: refused },
    'JSON errors': { status: 422, body: refused },
    forbidden: { status: 403, body: refused },
    'server errors': { status: 500, body: refused },
    'plain errors': { status: 400, type: 'text/plain', body: lie },
    redirects: {
      status: 302,
      headers: { location: `http://127.0.0.1:1/${encodeURIComponent(lie)}` },
      body: lie,
    },
    'not JSON': { status: 200, type: 'text/html', body: `<html>${lie}</html>` },
  };
  return answers[mode];
}

/** In these modes the schema can be read, so the calls get as far as the data. */
const readable = new Set<Mode>([
  'data and schema',
  'errors beside data',
  'GraphQL errors',
  'JSON errors',
  'plain errors',
  'version',
]);

const id = '00000000-0000-4000-8000-000000000001';

function metaOf(version: string, lie: string) {
  return {
    version,
    hostname: lie,
    modules: { [lie]: { version: lie }, 'text2vec-openai': { version: lie } },
  };
}

function thing(lie: string) {
  return {
    class: 'Thing',
    description: lie,
    vectorizer: 'text2vec-openai',
    vectorIndexType: 'hnsw',
    moduleConfig: { 'text2vec-openai': { model: lie, [lie]: lie } },
    invertedIndexConfig: { stopwords: { preset: lie, additions: [lie] } },
    properties: [
      { name: 'title', dataType: ['text'], description: lie, tokenization: 'word', indexFilterable: true },
      { name: 'other', dataType: [lie], description: lie },
    ],
    multiTenancyConfig: { enabled: false },
    replicationConfig: { factor: 1 },
  };
}

function object(lie: string) {
  return { class: 'Thing', id, properties: { title: lie, other: lie, [lie]: lie }, vector: [0.1] };
}

function graphqlData(lie: string) {
  const row = { title: lie, other: lie, [lie]: lie, _additional: { id, explainScore: lie, score: lie } };
  return {
    Get: { Thing: [row], [lie]: [row] },
    Aggregate: { Thing: [{ meta: { count: 1 } }] },
    [lie]: lie,
  };
}
