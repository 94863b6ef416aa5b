import { AsyncLocalStorage } from 'node:async_hooks';
import type { ServerEvent, ServerEventBus } from '@modelcontextprotocol/server';
import { type Caller, type Core, type CoreEvent, isBridge } from '@trestle/core';
import type { Principal } from './auth/principal.ts';
import { resolveConnection } from './find-connection.ts';
import { connectionsUri } from './resources/resources.ts';
import { readConnections } from './tools/list-connections.ts';

/**
 * The event bus behind `subscriptions/listen`. The SDK's own bus does not know callers and would send each event to
 * all clients. On this bus a stream gets only events that its token may see at that moment. The stream of a token that
 * the user created ends when the token is revoked or expires.
 */
export class Subscriptions implements ServerEventBus {
  readonly #core: Core;
  /** The stream of the listen request that is being served. The SDK calls `subscribe` for it, but names no caller. */
  readonly #opening = new AsyncLocalStorage<Stream>();
  readonly #streams = new Set<Stream>();
  readonly #stop: () => void;
  readonly #timer: NodeJS.Timeout;

  constructor(core: Core) {
    this.#core = core;
    this.#stop = core.events.on((event) => this.#hear(event));
    // A token can expire without an event.
    this.#timer = setInterval(() => this.#endInvalid(), 15_000).unref();
  }

  /** Serves a listen request. The stream that it opens belongs to the caller. */
  async open<T>(
    client: Principal & { clientName: string },
    uris: string[],
    serve: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const caller: Caller = { kind: 'client', ...client };
    void this.#logHidden(caller, uris);
    const seen = this.#visible(caller);
    const controller = new AbortController();
    const stream: Stream = { caller, uris, seen, controller, pending: new Set(), listener: undefined };
    return this.#opening.run(stream, () => serve(controller.signal));
  }

  /**
   * A hidden connection sends no events, like one that does not exist. The request as a whole is served: the client may
   * have subscribed to other connections, and the user may open this one later. The gate logs the refusal.
   */
  async #logHidden(caller: Caller, uris: string[]): Promise<void> {
    const names = new Set(uris.flatMap((uri) => parseUri(uri)?.connection ?? []));
    const found = [...names].slice(0, maxLogged).map((name) => resolveConnection(this.#core, caller, name));
    const ids = new Set(found.flatMap((one) => (one.is === 'hidden' ? [one.id] : [])));
    const { signal } = new AbortController();
    for (const connectionId of ids) {
      await this.#core.sessions.admit({ caller, connectionId, signal }, 'subscribe').catch(() => {});
    }
  }

  subscribe(listener: (event: ServerEvent) => void): () => void {
    const stream = this.#opening.getStore();
    if (!stream) throw new Error('A subscription was opened for nobody');
    stream.listener = listener;
    this.#streams.add(stream);
    return () => {
      clearTimeout(stream.timer);
      this.#streams.delete(stream);
    };
  }

  /** For events that are not about connections, and so are the same for all callers. */
  publish(event: ServerEvent): void {
    for (const { listener } of this.#streams) listener?.(event);
  }

  close(): void {
    this.#stop();
    clearInterval(this.#timer);
    for (const stream of this.#streams) clearTimeout(stream.timer);
  }

  #hear(event: CoreEvent): void {
    if (event.type === 'tokensChanged') this.#endInvalid();
    else for (const stream of this.#streams) this.#tell(stream, event);
  }

  #tell(stream: Stream, event: CoreEvent): void {
    if (listEvents.has(event.type)) {
      const seen = this.#visible(stream.caller);
      if (seen.list === stream.seen.list) return;
      if (seen.ids !== stream.seen.ids) this.#queue(stream, '');
      this.#queue(stream, connectionsUri);
      stream.seen = seen;
      return;
    }
    if (event.type !== 'schemaChanged' && event.type !== 'historyChanged') return;
    for (const uri of stream.uris) {
      const about = parseUri(uri);
      if (!about || (about.part === 'history') !== (event.type === 'historyChanged')) continue;
      if (this.#means(stream.caller, about.connection, event.connectionId)) this.#queue(stream, uri);
    }
  }

  #means(caller: Caller, text: string, connectionId: string): boolean {
    const found = resolveConnection(this.#core, caller, text);
    if (found.is !== 'visible' || found.connection.id !== connectionId) return false;
    // A client that may not read the connection must not learn when the user works with it.
    return !this.#core.sessions.needsApproval(caller, connectionId);
  }

  /** Reports a burst of changes of one resource once. An empty `uri` stands for the list of resources. */
  #queue(stream: Stream, uri: string): void {
    stream.pending.add(uri);
    stream.timer ??= setTimeout(() => {
      stream.timer = undefined;
      const uris = [...stream.pending];
      stream.pending.clear();
      for (const one of uris) {
        stream.listener?.(
          one === '' ? { kind: 'resources_list_changed' } : { kind: 'resource_updated', uri: one },
        );
      }
    }, coalesceMs).unref();
  }

  #visible(caller: Caller): Seen {
    const connections = readConnections(this.#core, caller);
    return {
      ids: JSON.stringify(connections.map(({ id, name }) => [id, name])),
      list: JSON.stringify(connections),
    };
  }

  #endInvalid(): void {
    if (this.#streams.size === 0) return;
    const now = Date.now();
    const valid = new Set(
      this.#core.tokens
        .list()
        .filter((one) => one.revokedAt === null && !(one.expiresAt && Date.parse(one.expiresAt) <= now))
        .map(({ id }) => id),
    );
    for (const { caller, controller } of this.#streams) {
      if (caller.kind === 'person' || isBridge(caller)) continue;
      if (!valid.has(caller.token.id)) controller.abort();
    }
  }
}

interface Stream {
  caller: Caller;
  /** The resources that the client subscribed to, as written in its request. */
  uris: string[];
  /** The connections that the caller could see when the stream opened, or at the last notification about them. */
  seen: Seen;
  controller: AbortController;
  pending: Set<string>;
  timer?: NodeJS.Timeout | undefined;
  listener: ((event: ServerEvent) => void) | undefined;
}

interface Seen {
  ids: string;
  list: string;
}

/** A request may name hundreds of thousands of resources. */
const maxLogged = 1_000;

const coalesceMs = 20;

/** Events that may change the list of connections or a line of it. */
const listEvents = new Set<CoreEvent['type']>([
  'connectionsChanged',
  'sessionChanged',
  'approvalsChanged',
  'driversChanged',
]);

function parseUri(uri: string): { connection: string; part: 'schema' | 'history' } | undefined {
  const match = /^trestle:\/\/connections\/([^/]+)\/(schema|tables|history)(\/[^/]+)?$/.exec(uri);
  if (!match) return undefined;
  try {
    const connection = decodeURIComponent(match[1] as string);
    return { connection, part: match[2] === 'history' ? 'history' : 'schema' };
  } catch {
    return undefined;
  }
}
