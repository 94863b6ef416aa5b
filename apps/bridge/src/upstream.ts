import { request } from 'node:http';
import { bridgeProcessHeader, mcpPath } from '@trestle/handshake';
import type { AppLink, Endpoint } from './app-link.ts';
import { Delivery, type Exchange } from './delivery.ts';
import { lost } from './failures.ts';
import { assertShortHeaders, protocolHeaders } from './headers.ts';
import { isRequest } from './messages.ts';
import { ConnectFailure } from './proved-agent.ts';
import { Slots } from './slots.ts';

/** Sends messages to the app. Finds the app again if its address or token changed. */
export class Upstream {
  readonly #app: AppLink;
  readonly #process: string;
  readonly #slots = new Slots(maxAtOnce);

  constructor(app: AppLink, process: string) {
    this.#app = app;
    this.#process = process;
  }

  async send(exchange: Exchange): Promise<void> {
    assertShortHeaders(exchange.message);
    // A subscription may stay open for hours. It takes no slot, so that it does not block other calls.
    if (exchange.message.method === 'subscriptions/listen') return this.#send(exchange);
    if (!this.#slots.take()) await this.#slots.wait(exchange.call);
    try {
      await this.#send(exchange);
    } finally {
      this.#slots.give();
    }
  }

  async #send(exchange: Exchange): Promise<void> {
    const mayStart = exchange.isIdle !== true;
    let endpoint = this.#app.known ?? (await this.#app.endpoint({ mayStart }));
    let refused = false;
    for (let tries = 1; ; tries++) {
      if (exchange.call.isCancelled) throw new Error('Cancelled');
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

  /** Sends one HTTP request. Returns a failure to connect, so that `#send` can try another endpoint. */
  async #attempt(endpoint: Endpoint, exchange: Exchange): Promise<Delivery | ConnectFailure> {
    const { message, call } = exchange;
    const delivery = new Delivery(exchange);
    try {
      await this.#post(endpoint, exchange, delivery);
    } catch (error) {
      if (error instanceof ConnectFailure) return error;
      if (call.isCancelled) throw error;
      if (isRequest(message) && !delivery.isAnswered) throw lost((error as Error).message);
    }
    if (isRequest(message) && !delivery.isAnswered && !delivery.isRefused)
      throw lost(`HTTP status ${delivery.status} without a message`);
    return delivery;
  }

  #post({ handshake, agent }: Endpoint, exchange: Exchange, delivery: Delivery): Promise<void> {
    const { message, call } = exchange;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const sent = request({
      agent,
      host: '127.0.0.1',
      port: handshake.port,
      method: 'POST',
      path: mcpPath,
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        Authorization: `Bearer ${handshake.token}`,
        [bridgeProcessHeader]: this.#process,
        ...protocolHeaders(message),
      },
    });
    sent.on('error', reject).on('response', (answer) => {
      delivery.begin(answer.statusCode ?? 0, answer.headers['content-type']);
      answer
        .setEncoding('utf8')
        .on('data', (text) => delivery.push(text))
        .on('end', () => resolve(delivery.finish()))
        .on('error', reject);
    });
    // `onCancel` may stay set: a finished request ignores `destroy`.
    call.onCancel = () => sent.destroy();
    sent.end(JSON.stringify(message));
    return promise;
  }
}

const maxTries = 4;
/**
 * More than the app's default limit for one client, 16. So the app gets calls beyond its limit and refuses them with a
 * reason. A call that only waits in the bridge gets no reason. Without a limit in the bridge, a thousand calls at once
 * would open a thousand sockets. The app accepts 256 sockets by default.
 */
const maxAtOnce = 32;
