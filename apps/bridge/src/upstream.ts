import { bridgeProcessHeader, mcpPath } from '@trestle/handshake';
import type { AppLink, Endpoint } from './app-link.ts';
import { ConnectFailure } from './connection.ts';
import { Delivery, type Exchange } from './delivery.ts';
import { lost } from './failures.ts';
import { protocolHeaders } from './headers.ts';
import { isRequest, type RpcNotification, type RpcRequest } from './messages.ts';
import { Slots } from './slots.ts';

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
      if (!attempt.isRefused) return;
      const next = refused ? undefined : await this.#app.renew(endpoint, 'unauthenticated', { mayStart });
      if (!next) throw this.#app.unauthenticated();
      refused = true;
      endpoint = next;
    }
  }

  /** One HTTP request; a failure to connect is a value, since it may be tried elsewhere. */
  async #attempt(endpoint: Endpoint, exchange: Exchange): Promise<Delivery | ConnectFailure> {
    const { message, signal } = exchange;
    const delivery = new Delivery(exchange);
    const request = this.#requestText(endpoint, message);
    try {
      await endpoint.connections.use(async (connection) => {
        signal.throwIfAborted();
        const cancel = () => connection.end('the call was cancelled');
        signal.addEventListener('abort', cancel, { once: true });
        try {
          await connection.ask(request, delivery);
        } finally {
          signal.removeEventListener('abort', cancel);
        }
      });
      delivery.finish();
    } catch (error) {
      if (error instanceof ConnectFailure) return error;
      if (signal.aborted) throw error;
      if (isRequest(message) && !delivery.isAnswered) throw lost((error as Error).message);
    }
    if (isRequest(message) && !delivery.isAnswered && !delivery.isRefused)
      throw lost(`it answered ${delivery.status}`);
    return delivery;
  }

  /** Neither the token nor a header of the message can hold a line break: both are checked where they come from. */
  #requestText({ handshake }: Endpoint, message: RpcRequest | RpcNotification): string {
    const body = JSON.stringify(message);
    const headers = {
      Host: `127.0.0.1:${handshake.port}`,
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
      Accept: 'application/json, text/event-stream',
      Authorization: `Bearer ${handshake.token}`,
      [bridgeProcessHeader]: this.#process,
      ...protocolHeaders(message),
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    return `POST ${mcpPath} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
  }
}

const maxTries = 4;
/**
 * More than the app lets one bridge have, so that it is the app that refuses. A thousand calls at once would open a
 * thousand sockets, and the app takes 256 from all together.
 */
const maxAtOnce = 32;
