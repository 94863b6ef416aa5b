import {
  Agent,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { answerWith, type BadAnswer } from './bad-answers.ts';

/**
 * The way in which the proxy treats a request:
 * - `reset`: the request never reaches the server, and the client's socket is reset.
 * - `resetAfter`: the server answers, but the socket is reset before the answer arrives.
 * - `cut`: half of the answer arrives, and then a reset.
 * - `hang`: the request never reaches the server, and the client gets no answer.
 * - `hangAfter`: the server answers, but the answer does not arrive.
 * - `stall`: half of the answer arrives, and then nothing.
 * - `drip`: the answer arrives in small pieces.
 * - `tooLong`, `tooShort`: the answer's Content-Length is wrong.
 * - `half`: half of the answer arrives, with the Content-Length of that half.
 * - `html`, `error500`, `page502`, `wrongTypes`: the server handles the request, but the proxy replaces its answer.
 */
export type Fate =
  | 'pass'
  | 'reset'
  | 'hang'
  | 'hangAfter'
  | 'resetAfter'
  | BadAnswer
  | OtherAnswer
  | LateArrival;

/** An answer that the proxy makes itself. `reaches`: whether the server also gets the request. */
export interface OtherAnswer {
  status: number;
  body: string;
  reaches: boolean;
}

/** The server gets the request when `arrives` resolves, even if the client has given up. The client gets no answer. */
export interface LateArrival {
  arrives: Promise<void>;
}

export interface ProxiedRequest {
  method: string;
  path: string;
  /** The part of the body that was passed on to the server so far. Always empty for a `LateArrival`. */
  body: string;
  /** The bytes of the server's answer so far, without its headers. */
  answered: number;
  /** The same as bytes. A message over Connect is no text. */
  bytes: Buffer;
}

export interface HttpProxy {
  port: number;
  /** All requests that arrived, in order. */
  requests: ProxiedRequest[];
  /** Chooses the fate of each request. */
  decide: (request: ProxiedRequest) => Fate | Promise<Fate>;
  /** The headers that the server gets. */
  headersFor: (path: string, headers: IncomingHttpHeaders) => IncomingHttpHeaders;
  /** The delay before `decide` is called for a request. */
  delayMs: number;
  close(): Promise<void>;
}

/** A proxy on loopback in front of an HTTP server. `decide` can break single requests, like a bad network. */
export async function startHttpProxy(targetPort: number): Promise<HttpProxy> {
  // A Node server closes an idle socket after 5 s. A request sent at that moment would be lost, so the agent closes the
  // socket first.
  const agent = new Agent({ keepAlive: true, timeout: 2000 });
  const server = createServer(async (incoming, outgoing) => {
    const seen: ProxiedRequest = {
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      body: '',
      bytes: Buffer.alloc(0),
      answered: 0,
    };
    proxy.requests.push(seen);
    if (proxy.delayMs > 0) await delay(proxy.delayMs);
    const headers = proxy.headersFor(seen.path, incoming.headers);
    forward(incoming, outgoing, { seen, fate: await proxy.decide(seen), headers, agent, targetPort });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy: HttpProxy = {
    port: (server.address() as AddressInfo).port,
    requests: [],
    decide: () => 'pass',
    headersFor: (_path, headers) => headers,
    delayMs: 0,
    async close() {
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;
}

interface Passage {
  seen: ProxiedRequest;
  fate: Fate;
  headers: IncomingHttpHeaders;
  agent: Agent;
  targetPort: number;
}

function forward(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { seen, fate, headers, agent, targetPort }: Passage,
): void {
  const reset = () => {
    incoming.socket.resetAndDestroy();
  };
  if (fate === 'reset') reset();
  if (fate === 'reset' || fate === 'hang') return;
  if (typeof fate === 'object' && 'arrives' in fate) return void deliverLate(incoming, fate, targetPort);
  const ownAnswer = ({ status, body }: OtherAnswer) =>
    outgoing.writeHead(status, { 'content-length': Buffer.byteLength(body) }).end(body);
  if (typeof fate === 'object' && !fate.reaches) {
    incoming.resume().on('end', () => ownAnswer(fate));
    return;
  }
  const { method, url } = incoming;
  const target = request(
    { host: '127.0.0.1', port: targetPort, method, path: url, headers, agent },
    (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        seen.answered += chunk.length;
      });
      answer.on('end', () => {
        if (fate === 'resetAfter') return reset();
        if (fate === 'hangAfter') return;
        if (typeof fate === 'object') return ownAnswer(fate);
        answerWith(fate, { answer, body: Buffer.concat(chunks), outgoing, reset });
      });
    },
  );
  target.on('error', reset);
  incoming.on('data', (chunk: Buffer) => {
    seen.body += chunk;
    seen.bytes = Buffer.concat([seen.bytes, chunk]);
  });
  incoming.pipe(target);
}

async function deliverLate(incoming: IncomingMessage, { arrives }: LateArrival, port: number): Promise<void> {
  const { method, url, headers } = incoming;
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  await arrives;
  request({ host: '127.0.0.1', port, method, path: url, headers }, (answer) => answer.resume()).end(
    Buffer.concat(chunks),
  );
}
