import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { ConnectService } from '../connect/service.ts';
import { ServerError } from '../errors.ts';
import { checkKey } from './authenticate.ts';
import { readBytes } from './body.ts';
import { answerConnect, isConnectPath } from './connect.ts';
import type { RouteAnswer, Router } from './router.ts';

const bodyLimit = 64 * 1024 * 1024;

interface ServerOptions {
  load: () => Promise<{ router: Router; connect: ConnectService }>;
  keyDigest: string | undefined;
  maximumMessageSize: number;
}

/** Checks the key before it loads the node. A health probe needs no key. */
export function createHttpServer(options: ServerOptions): Server {
  return createServer((request, response) => {
    answerTo(request, options)
      .catch(failure)
      .then((answer) => send(response, answer, request.method === 'HEAD'))
      .catch(() => response.destroy());
  });
}

async function answerTo(
  request: IncomingMessage,
  { load, keyDigest, maximumMessageSize }: ServerOptions,
): Promise<RouteAnswer> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  if (isConnectPath(pathname)) {
    const service = async () => (await load().catch(notLoaded)).connect;
    return answerConnect(request, pathname, { service, keyDigest, maximumMessageSize });
  }
  const isProbe = /^\/v1\/\.well-known\/(ready|live)$/.test(pathname);
  if (!isProbe) checkKey(request.headers.authorization, keyDigest);
  if (!/^\/v1(\/|$)/.test(pathname)) {
    throw new ServerError(404, `path ${pathname} was not found`, { shape: 'coded' });
  }
  const method = request.method ?? 'GET';
  const { find } = (await load().catch(notLoaded)).router;
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
  const bytes = await readBytes(request, bodyLimit);
  if (bytes === null) throw new ServerError(413, 'request body too large', { shape: 'coded' });
  const text = bytes.toString('utf8');
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : '';
    throw new ServerError(400, `parsing body body from "" failed, because ${reason}`, { shape: 'coded' });
  }
}

function send(response: ServerResponse, { status, body, type }: RouteAnswer, isHead: boolean): void {
  response.statusCode = status;
  if (body === undefined || isHead) {
    response.setHeader('content-length', 0);
    response.end();
    return;
  }
  const bytes = Buffer.from(type === undefined ? `${JSON.stringify(body)}\n` : (body as string | Uint8Array));
  response.setHeader('content-type', type ?? 'application/json');
  response.setHeader('content-length', bytes.length);
  response.end(bytes);
}
