import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import {
  Agent,
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import type { VectorNode } from '@trestle/vector-node';

export interface NodeListener {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * The sample node's address. It listens at once and passes requests on to the node, which the first of them starts:
 * its data and vectors cost an app that does not use the sample neither time nor memory.
 */
export async function listenForNode(options: {
  /** Another one where this is taken; 0 for any. */
  port: number;
  /** SHA-256 of the key that callers have, in hex: the key itself is kept with the connection's secrets alone. */
  keyDigest: string;
  start(innerKey: string): Promise<VectorNode>;
  onFailure(error: unknown): void;
}): Promise<NodeListener> {
  const innerKey = randomBytes(32).toString('base64url');
  const agent = new Agent({ keepAlive: true });
  let node: Promise<VectorNode> | undefined;
  const startOnce = () => {
    node ??= options.start(innerKey).catch((error: unknown) => {
      node = undefined;
      throw error;
    });
    return node;
  };
  const server = createServer((request, response) => {
    passOn(request, response).catch((error: unknown) => {
      if (!response.headersSent && !response.destroyed) refuse(response, error);
      else response.destroy();
    });
  });
  async function passOn(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { port } = await startOnce().catch((error: unknown) => {
      options.onFailure(error);
      throw error;
    });
    const { method, url: path, headers } = request;
    // A wrong key goes on as it is, and the node refuses it in its own words.
    const authorization = isKey(headers.authorization, options.keyDigest)
      ? `Bearer ${innerKey}`
      : headers.authorization;
    const upstream = httpRequest({
      ...{ host: '127.0.0.1', port, method, path, agent },
      headers: { ...headers, ...(authorization !== undefined && { authorization }) },
    });
    response.once('close', () => upstream.destroy());
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      upstream.once('response', resolve).once('error', reject);
    });
    request.pipe(upstream);
    const answer = await answered;
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    await pipeline(answer, response);
  }

  await listen(server, options.port).catch((error: NodeJS.ErrnoException) => {
    if (options.port === 0 || (error.code !== 'EADDRINUSE' && error.code !== 'EACCES')) throw error;
    return listen(server, 0);
  });
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      agent.destroy();
      await node?.then((one) => one.stop()).catch(() => {});
    },
  };
}

export function digestOf(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

function isKey(header: string | undefined, digest: string): boolean {
  const given = /^Bearer (.+)$/i.exec(header ?? '')?.[1] ?? '';
  return timingSafeEqual(Buffer.from(digestOf(given), 'hex'), Buffer.from(digest, 'hex'));
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function refuse(response: ServerResponse, error: unknown): void {
  const message = `The sample node could not answer: ${error instanceof Error ? error.message : String(error)}`;
  response.writeHead(503, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ error: [{ message }] }));
}
