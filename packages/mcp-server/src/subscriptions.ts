import { AsyncLocalStorage } from 'node:async_hooks';
import type { ServerEvent, ServerEventBus } from '@modelcontextprotocol/server';
import { bridgeTokenName, type Caller, type Core, type CoreEvent } from '@trestle/core';
import type { Principal } from './auth/principal.ts';
import { connectionsUri } from './resources/resources.ts';
import { readConnections } from './tools/list-connections.ts';

/**
 * The bus behind `subscriptions/listen`. The protocol layer's own knows no principals and would tell everybody
 * everything: here each stream hears of what its token may see at that moment, and ends with its token.
 */
export class Subscriptions implements ServerEventBus {
  readonly #core: Core;
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

  /** Runs what serves a listen request; the stream it opens is the principal's. */
  async open<T>(
    client: Principal & { clientName: string },
    uris: string[],
    serve: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const caller: Caller = { kind: 'client', ...client };
    const seen = this.#visible(caller);
    const controller = new AbortController();
    const stream: Stream = { caller, uris, seen, controller, pending: new Set(), listener: undefined };
    return this.#opening.run(stream, () => serve(controller.signal));
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

  /** For what is not about connections, and so the same for everybody. */
  publish(event: ServerEvent): void {
    for (const { listener } of this.#streams) listener?.(event);
  }

  get size(): number {
    return this.#streams.size;
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
    if (event.type === 'connectionsChanged' || event.type === 'sessionChanged') {
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
    const visible = this.#core.connections.visibleTo(caller);
    const connection = visible.find(({ id }) => id === connectionId);
    if (!connection || (connection.id !== text && connection.name !== text)) return false;
    // When the user works with it is not for a client that may not read it yet.
    return !this.#core.sessions.needsApproval(caller, connectionId);
  }

  /** A burst of changes is told once. The empty text stands for the list of resources. */
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
      if (caller.kind === 'person' || caller.token.name === bridgeTokenName) continue;
      if (!valid.has(caller.token.id)) controller.abort();
    }
  }
}

interface Stream {
  caller: Caller;
  /** The resources it asked to hear of, as it wrote them. */
  uris: string[];
  /** What the caller could see when it was last told. */
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

const coalesceMs = 20;

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
