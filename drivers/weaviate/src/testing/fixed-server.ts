import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import type { Session } from '@trestle/driver-kit';
import { directDial } from '@trestle/driver-kit/testing';
import { connectHealthPath } from '@trestle/weaviate-connect';
import { onTestFinished } from 'vitest';
import { driver } from '../driver.ts';

export const call = { signal: new AbortController().signal };

export interface Asked {
  method: string;
  url: string;
  body: string;
}

/** An answer with a status other than 200. */
export class Refusal {
  readonly status: number;
  readonly body: unknown;

  constructor(status: number, body: unknown) {
    this.status = status;
    this.body = body;
  }
}

/**
 * A server with fixed answers, and a session on it. `asked` holds each request after the connect, except reads of
 * `/v1/meta` and `/v1/schema`, and the question for Connect, which it does not offer. A stream is sent unchanged, other answers as JSON.
 */
export async function openFixed(
  schema: () => unknown,
  answer: (asked: Asked) => unknown = () => ({ data: {} }),
): Promise<{ session: Session; asked: Asked[] }> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const one = { method: request.method ?? '', url: request.url ?? '', body };
    response.setHeader('content-type', 'application/json');
    if (one.url === '/v1/meta') return response.end(JSON.stringify({ version: '1.39.0', modules: {} }));
    if (one.url === '/v1/schema' && one.method === 'GET') return response.end(JSON.stringify(schema()));
    // Without Connect, the driver uses GraphQL.
    if (one.url === connectHealthPath) return response.writeHead(404).end('{"code":404}');
    asked.push(one);
    const given = answer(one);
    if (given instanceof Readable) return given.pipe(response);
    if (given instanceof Refusal) response.statusCode = given.status;
    const answered = given instanceof Refusal ? given.body : given;
    // An empty text means an empty body, as in Weaviate's 404 for an object.
    return response.end(answered === '' ? '' : JSON.stringify(answered));
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const fields = { host: '127.0.0.1', port, authMethod: 'none', sslMode: 'disabled' };
  const session = await driver.connect({ fields, log: () => {}, dial: directDial(fields) }, call);
  onTestFinished(() => session.close());
  asked.length = 0;
  return { session, asked };
}
