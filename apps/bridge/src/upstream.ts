import type { IncomingMessage } from 'node:http';
import { bridgeProcessHeader, mcpPath } from '@trestle/handshake';
import type { AppLink, Endpoint } from './app-link.ts';
import { request as httpRequest } from './builtins.ts';
import { EventStream } from './event-stream.ts';
import { lost } from './failures.ts';
import { protocolHeaders } from './headers.ts';
import { isObject, isRequest, type RpcMessage, type RpcNotification, type RpcRequest } from './messages.ts';
import { type PlainResult, plainResult } from './plain-result.ts';
import { ConnectFailure } from './proven-agent.ts';
import { Slots } from './slots.ts';

export interface Exchange {
  message: RpcRequest | RpcNotification;
  /** Aborting it ends the HTTP request, which is how a call is cancelled. */
  signal: AbortSignal;
  /** Everything the app says in answer, the response last. */
  onMessage: (message: RpcMessage) => void;
  /** Nobody waits for it: it never starts the app. */
  isIdle?: boolean;
  /** Sees a plain result before it is read. True: nothing more is to be done with it. */
  onPlain?: (result: PlainResult) => boolean;
}

/** Sends messages to the app, finding it anew when it moved. */
export class Upstream {
  readonly #app: AppLink;
  readonly #process: string;
  readonly #slots = new Slots(maxAtOnce);

  constructor(app: AppLink, process: string) {
    this.#app = app;
    this.#process = process;
  }

  async send(exchange: Exchange): Promise<void> {
    // Stays open as long as the client likes, and must not keep its calls waiting.
    if (exchange.message.method === 'subscriptions/listen') return this.#send(exchange);
    if (!this.#slots.take()) await this.#slots.wait(exchange.signal);
    try {
      await this.#send(exchange);
    } finally {
      this.#slots.give();
    }
  }

  async #send(exchange: Exchange): Promise<void> {
    const mayStart = exchange.isIdle !== true;
    let endpoint = await this.#app.endpoint({ mayStart });
    let refused = false;
    for (let tries = 1; ; tries++) {
      exchange.signal.throwIfAborted();
      const attempt = await this.#attempt(endpoint, exchange);
      if (attempt instanceof ConnectFailure) {
        const next =
          tries < maxTries ? await this.#app.renew(endpoint, attempt.kind, { mayStart }) : undefined;
        if (!next) throw this.#app.unproved(endpoint, attempt.message);
        endpoint = next;
        continue;
      }
      if (attempt.statusCode === 401) {
        attempt.resume();
        const next = refused ? undefined : await this.#app.renew(endpoint, 'unauthenticated', { mayStart });
        if (!next) throw this.#app.unauthenticated();
        refused = true;
        endpoint = next;
        continue;
      }
      return deliver(attempt, exchange);
    }
  }

  /** One HTTP request; a failure to connect is a value, since it may be tried elsewhere. */
  #attempt(endpoint: Endpoint, { message, signal }: Exchange): Promise<IncomingMessage | ConnectFailure> {
    const body = Buffer.from(JSON.stringify(message));
    const { handshake, agent } = endpoint;
    return new Promise((resolve, reject) => {
      const request = httpRequest({
        agent,
        host: '127.0.0.1',
        port: handshake.port,
        path: mcpPath,
        method: 'POST',
        signal,
        headers: {
          'Content-Type': 'application/json',
          'Content-Length': body.length,
          Accept: 'application/json, text/event-stream',
          Authorization: `Bearer ${handshake.token}`,
          [bridgeProcessHeader]: this.#process,
          ...protocolHeaders(message),
        },
      });
      request.once('response', resolve);
      request.once('error', (error) => {
        if (error instanceof ConnectFailure) resolve(error);
        else reject(signal.aborted ? error : lost(error.message));
      });
      request.end(body);
    });
  }
}

const maxTries = 4;
/**
 * More than the app lets one bridge have, so that it is the app that refuses. The agent's own limit counts sockets
 * once they are open: a thousand calls at once would open a thousand, and the app takes 256 from all together.
 */
const maxAtOnce = 32;

/** Resolves when the app has said all; rejects where it went away before it answered. */
function deliver(response: IncomingMessage, exchange: Exchange): Promise<void> {
  const { message, signal } = exchange;
  const streams = response.headers['content-type']?.startsWith('text/event-stream');
  const events = streams ? new EventStream((text) => take(text)) : undefined;
  let body = '';
  let answered = false;

  function take(text: string): void {
    const plain = exchange.onPlain && isRequest(message) ? plainResult(text, message.id) : undefined;
    if (plain && exchange.onPlain?.(plain)) {
      answered = true;
      return;
    }
    const received = parse(text, message);
    if (!received) return;
    answered ||= !('method' in received);
    exchange.onMessage(received);
  }

  return new Promise((resolve, reject) => {
    const finish = (detail: string) => {
      if (isRequest(message) && !answered && !signal.aborted) reject(lost(detail));
      else resolve();
    };
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => {
      if (events) events.push(chunk);
      else body += chunk;
    });
    response.once('error', (error) => finish(error.message));
    response.once('close', () => finish('it closed the connection'));
    response.once('end', () => {
      if (body !== '') take(body);
      finish(`it answered ${response.statusCode}`);
    });
  });
}

/** An error sent before the body was read has no id of its own. */
function parse(text: string, message: RpcRequest | RpcNotification): RpcMessage | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  if (isRequest(message) && value.method === undefined) value.id ??= message.id;
  return value as unknown as RpcMessage;
}
