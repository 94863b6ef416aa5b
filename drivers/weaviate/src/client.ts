import type { Readable } from 'node:stream';
import {
  type ConnectStage,
  type Dial,
  DriverError,
  type Effect,
  exceeds,
  isDriverError,
  type Json,
} from '@trestle/driver-kit';
import { connectBinary, connectHeaders } from '@trestle/weaviate-connect';
import { Agent, Client, type Dispatcher, request } from 'undici';
import { isRecord, recordsOf, wrongAnswer } from './answer-shape.ts';
import { bodyText } from './body-text.ts';
import { isConnectPath } from './connect-line.ts';
import { dialConnector } from './dial-connector.ts';
import { failureOfAnswer, failureOfNetwork, isMarkup, queryFailure, wasSocketLost } from './failure.ts';
import { readBody } from './read-body.ts';
import { effectOfRequest } from './request-effect.ts';
import type { ServerSettings } from './settings.ts';

interface WeaviateRequest {
  method: string;
  /** The path below the origin, with `/v1`. */
  path: string;
  query?: Record<string, string | number | undefined>;
  /** A string is sent unchanged. */
  body?: Json | undefined;
  /**
   * Sends the keys of model providers too. The server may send them wherever the request or a collection names. So only
   * a request that `key-rights.ts` has judged may set this.
   */
  providerKeys?: boolean;
  /** A request with a stronger effect than this is never sent. */
  ceiling: Effect;
  signal: AbortSignal;
  /** The request fails if no answer begins within this time. Defaults to `silence.answerMs`. */
  silenceMs?: number | undefined;
  /** Called when the request is sent. If it fails after that, the server may still have executed it. */
  onSent?: () => void;
}

/** A call of a Connect method that reads. */
interface ConnectCall {
  path: string;
  /** A message in its binary form. */
  body: Uint8Array;
  signal: AbortSignal;
  providerKeys: boolean;
}

export interface ConnectAnswer {
  status: number;
  /** Whether the body is a message in its binary form. */
  isMessage: boolean;
  bytes: Buffer;
}

export interface WeaviateAnswer {
  status: number;
  body: string;
}

export interface GraphqlAnswer {
  data: { [key: string]: Json } | null;
  errors: { message: string; path?: (string | number)[] }[];
}

/** The stored keys of the connection, without their values. */
export interface StoredKeys {
  /** The headers with keys of model providers. */
  providers: string[];
  /** Whether each request carries an API key of Weaviate. */
  hasApiKey: boolean;
}

export interface ServerPlace {
  host: string;
  port: number;
  secure: boolean;
  /** Whether the connection sends an API key. */
  hasKey: boolean;
  /** Names of the provider headers. */
  headers: string[];
}

/**
 * `bodyMs`: the longest pause within an answer. `pageMs`: for a request of one page over REST, the longest wait
 * until the answer begins. `answerMs`: the same for any other request. A statement may take 300 seconds, so its own
 * timeout ends it before `answerMs` does. `idleMs`: how long an unused socket stays open. A test sets shorter times.
 *
 * Weaviate closes a socket that was unused for 10 seconds, and some proxies do so after 5. A write that is sent at that
 * moment is lost, and is not sent again, because it could have been stored. So the client closes its sockets first.
 */
export const silence = { bodyMs: 60_000, pageMs: 120_000, answerMs: 360_000, idleMs: 4_000 };

/** The one place that talks to the server. Requests stay on the connection's own host. */
export class WeaviateClient {
  readonly #settings: ServerSettings;
  readonly #agent: Agent;
  readonly #socket: Client.Options;
  #worked = false;

  constructor(settings: ServerSettings, dial: Dial, stage: (stage: ConnectStage) => void = () => {}) {
    this.#settings = settings;
    this.#socket = {
      connect: dialConnector(dial, settings.tls, stage),
      // An export has no other deadline. Once an answer has started, the server normally sends all of it without a
      // pause. A long pause probably means that the network stalls.
      headersTimeout: silence.answerMs,
      bodyTimeout: silence.bodyMs,
    };
    this.#agent = new Agent({ ...this.#socket, connections: 16, keepAliveTimeout: silence.idleMs });
  }

  /**
   * The address of the server and the names of the provider headers, for code that a user copies. Never contains
   * secrets.
   */
  get place(): ServerPlace {
    const { hostname, port, protocol } = new URL(this.#settings.origin);
    const { providers, hasApiKey } = this.keys;
    return {
      host: hostname,
      port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
      secure: protocol === 'https:',
      hasKey: hasApiKey,
      headers: providers,
    };
  }

  get keys(): StoredKeys {
    const { headers, providerKeys } = this.#settings;
    return { providers: Object.keys(providerKeys), hasApiKey: headers.authorization !== undefined };
  }

  /**
   * Returns an answer of any status. Throws if the network fails, if the answer is too large, or if the request is
   * refused or cancelled.
   */
  async send(asked: WeaviateRequest): Promise<WeaviateAnswer> {
    const { method, path, query, body, ceiling, signal, silenceMs, onSent, providerKeys = false } = asked;
    const effect = effectOfRequest(method, path);
    if (exceeds(effect, ceiling)) {
      throw new DriverError({
        code: 'above_ceiling',
        needs: effect,
        message: `${method.toUpperCase()} ${path} would ${effect}, and only ${ceiling} is allowed here`,
      });
    }
    const url = new URL(path, this.#settings.origin);
    if (url.origin !== new URL(this.#settings.origin).origin) {
      throw new DriverError({ code: 'refused', message: 'A request stays on the host of its connection' });
    }
    for (const [name, value] of Object.entries(query ?? {})) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    const text = body === undefined || typeof body === 'string' ? body : bodyText(body);
    if (text === undefined) onSent?.();
    const { status, bytes } = await this.#exchange(url, {
      method: method.toUpperCase(),
      headers: {
        accept: 'application/json',
        ...(isConnectPath(path) && connectHeaders),
        ...(text !== undefined && {
          'content-type': 'application/json',
          'content-length': String(Buffer.byteLength(text)),
        }),
      },
      body: text !== undefined && onSent ? watchedBody(text, onSent) : text,
      ...{ providerKeys, effect, signal, silenceMs },
    });
    return { status, body: bytes.toString('utf8') };
  }

  /** Calls a Connect method that reads. Returns an answer of any status: an error is JSON. */
  callConnect({ path, body, signal, providerKeys }: ConnectCall): Promise<ConnectAnswer> {
    const headers = { ...connectHeaders, 'content-type': connectBinary, accept: connectBinary };
    return this.#exchange(new URL(path, this.#settings.origin), {
      method: 'POST',
      headers,
      body: Buffer.from(body),
      effect: 'read',
      signal,
      providerKeys,
    });
  }

  async #exchange(url: URL, { providerKeys, effect, signal, silenceMs, ...asked }: Exchange) {
    const exchange = async (dispatcher: Dispatcher) => {
      const answer = await request(url, {
        method: asked.method as 'GET',
        headers: {
          ...asked.headers,
          ...this.#settings.headers,
          ...(providerKeys && this.#settings.providerKeys),
        },
        ...(asked.body !== undefined && { body: asked.body }),
        ...(silenceMs !== undefined && { headersTimeout: silenceMs }),
        dispatcher,
        signal,
      });
      const isMessage = answer.headers['content-type'] === connectBinary;
      const whole = { status: answer.statusCode, isMessage, bytes: await readBody(answer.body, effect) };
      this.#worked = true;
      return whole;
    };
    try {
      return await exchange(this.#agent).catch((error: unknown) => {
        // A write may have been stored before its socket broke, so only a read is sent again.
        if (signal.aborted || effect !== 'read' || !wasSocketLost(error)) throw error;
        return this.#onFreshSocket(exchange);
      });
    } catch (error) {
      if (signal.aborted) throw new DriverError({ code: 'cancelled', message: 'Cancelled' });
      throw isDriverError(error)
        ? error
        : failureOfNetwork(error, this.#settings.address, {
            worked: this.#worked,
            hasCaFile: this.#settings.tls?.ca !== undefined,
          });
    }
  }

  /** The body of a successful answer, unparsed. Throws an error for any other answer. */
  async text(asked: WeaviateRequest): Promise<string> {
    const answer = await this.send(asked);
    if (answer.status < 200 || answer.status > 299) throw failureOfAnswer(answer, asked.path);
    return answer.body;
  }

  async json(asked: WeaviateRequest): Promise<Json> {
    return this.parse(await this.text(asked));
  }

  /** Data and errors side by side, as the server sent them. */
  async graphql(
    query: string,
    signal: AbortSignal,
    { variables, providerKeys = false }: { variables?: Json | undefined; providerKeys?: boolean } = {},
  ): Promise<GraphqlAnswer> {
    const body: Json = variables === undefined ? { query } : { query, variables };
    const path = '/v1/graphql';
    const answer = await this.json({ method: 'POST', path, body, ceiling: 'read', signal, providerKeys });
    if (!isRecord(answer)) throw wrongAnswer(path);
    const { data = null, errors } = answer;
    if (data !== null && !isRecord(data)) throw wrongAnswer(path);
    return { data, errors: recordsOf(errors, path) as unknown as GraphqlAnswer['errors'] };
  }

  /** For the driver's own queries. Throws if the answer has an error, so that its data is not shown. */
  async graphqlData(
    query: string,
    signal: AbortSignal,
    options: { providerKeys?: boolean } = {},
  ): Promise<{ [key: string]: Json }> {
    const answer = await this.graphql(query, signal, options);
    if (answer.errors.length > 0) throw queryFailure(answer.errors.map((one) => one.message).join('; '));
    return answer.data ?? {};
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  /** After a restart of the server or a proxy, every kept-alive socket may be dead. */
  async #onFreshSocket<T>(exchange: (dispatcher: Dispatcher) => Promise<T>): Promise<T> {
    const client = new Client(this.#settings.origin, this.#socket);
    try {
      return await exchange(client);
    } finally {
      await client.destroy();
    }
  }

  parse(body: string): Json {
    try {
      return body === '' ? null : (JSON.parse(body) as Json);
    } catch {
      throw this.damaged(body);
    }
  }

  /** The error for a body that cannot be read. */
  damaged(body: string): DriverError {
    const { address } = this.#settings;
    // The server answered before, so the hints do not ask the user to check the address.
    return isMarkup(body)
      ? new DriverError({
          code: 'connection_failed',
          message: `Connection failed: ${address} sent a web page in place of data`,
          hint: 'A proxy or a sign-in page may be in front of the server. Check the network, then try again.',
        })
      : new DriverError({
          code: 'connection_failed',
          message: `Connection failed: the answer of ${address} is damaged or cut short`,
          hint: 'Try again. If it fails again, check the network and any proxy in front of the server.',
        });
  }
}

interface Exchange {
  method: string;
  headers: Record<string, string>;
  body?: string | Buffer | Readable | undefined;
  providerKeys: boolean;
  effect: Effect;
  signal: AbortSignal;
  silenceMs?: number | undefined;
}

/**
 * A body that calls `onSent` when undici begins to send it. A request without a body counts as sent from the
 * start.
 */
function watchedBody(text: string, onSent: () => void): Readable {
  function* pieces(): Generator<Uint8Array> {
    onSent();
    yield Buffer.from(text);
  }
  // undici accepts any iterable, but its types do not say so.
  return pieces() as unknown as Readable;
}
