import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { ServerError } from '../errors.ts';
import { checkKey } from './authenticate.ts';
import type { RouteAnswer, Router } from './router.ts';

const bodyLimit = 64 * 1024 * 1024;

/** Checks the key before it loads the router. A health probe needs no key. */
export function createHttpServer(router: () => Promise<Router>, keyDigest: string | undefined): Server {
  return createServer((request, response) => {
    answerTo(request, router, keyDigest)
      .catch(failure)
      .then((answer) => send(response, answer, request.method === 'HEAD'))
      .catch(() => response.destroy());
  });
}

async function answerTo(
  request: IncomingMessage,
  router: () => Promise<Router>,
  keyDigest: string | undefined,
): Promise<RouteAnswer> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  const isProbe = /^\/v1\/\.well-known\/(ready|live)$/.test(pathname);
  if (!isProbe) checkKey(request.headers.authorization, keyDigest);
  if (!/^\/v1(\/|$)/.test(pathname)) {
    throw new ServerError(404, `path ${pathname} was not found`, { shape: 'coded' });
  }
  const method = request.method ?? 'GET';
  const { find } = await router().catch(notLoaded);
  const { handler, params } = find(method, pathname.slice('/v1'.length));
  return handler({ params, query: searchParams, body: await readBody(request) });
}

function notLoaded(error: unknown): never {
  const reason = error instanceof Error ? error.message : String(error);
  throw new ServerError(503, `The sample node could not answer: ${reason}`);
}

function failure(error: unknown): RouteAnswer {
  if (error instanceof ServerError) return { status: error.status, body: error.body() };
  const message = error instanceof Error ? error.message : String(error);
  return { status: 500, body: { error: [{ message }] } };
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > bodyLimit) throw new ServerError(413, 'request body too large', { shape: 'coded' });
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : '';
    throw new ServerError(400, `parsing body body from "" failed, because ${reason}`, { shape: 'coded' });
  }
}

function send(response: ServerResponse, { status, body }: RouteAnswer, isHead: boolean): void {
  response.statusCode = status;
  if (body === undefined || isHead) {
    response.setHeader('content-length', 0);
    response.end();
    return;
  }
  const text = Buffer.from(`${JSON.stringify(body)}\n`);
  response.setHeader('content-type', 'application/json');
  response.setHeader('content-length', text.length);
  response.end(text);
}
