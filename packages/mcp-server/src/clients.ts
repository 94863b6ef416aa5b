import type { Socket } from 'node:net';
import { spokenVersionKey } from '@trestle/handshake';
import { type Principal, plainName, principalKey } from './auth/principal.ts';
import type { HeaderReader } from './incoming.ts';

/** A recent client, for the list in Settings. */
export interface ConnectedClient {
  tokenName: string;
  /** The client's own name for itself. */
  clientName: string;
  /** The bridge's own name for its process: its pid and start time. Null if the client uses no bridge. */
  process: string | null;
  protocolVersion: string | null;
  lastSeenAt: string;
  /** The number of running requests and subscriptions. */
  active: number;
}

/**
 * Lists the connected clients. A client is connected during a request, and for some minutes after it unless its bridge
 * has ended.
 */
export class Clients {
  readonly #now: () => number;
  readonly #seen = new Map<string, Seen>();
  readonly #entriesOf = new WeakMap<ClosingSocket, Set<Seen>>();

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Call this when a request begins. Call the returned function when the request ends. */
  saw(principal: Principal, headers: HeaderReader, body: unknown, socket?: ClosingSocket): () => void {
    const key = principalKey(principal);
    const declared = declaredName(body);
    const fresh: Seen = {
      principal,
      name: 'unknown client',
      version: null,
      at: 0,
      active: 0,
      sockets: new Set(),
    };
    const entry = this.#seen.get(key) ?? fresh;
    if (declared !== undefined) entry.name = declared;
    entry.version = spokenVersion(body) ?? headers.get('mcp-protocol-version') ?? entry.version;
    entry.at = this.#now();
    entry.active++;
    if (socket) this.#cameThrough(socket, entry);
    this.#seen.set(key, entry);
    this.#forget();
    return () => {
      entry.active--;
      entry.at = this.#now();
    };
  }

  list(): ConnectedClient[] {
    this.#forget();
    return [...this.#seen.values()]
      .sort((a, b) => b.at - a.at)
      .map(({ principal, name, version, at, active }) => ({
        tokenName: principal.token.name,
        clientName: name,
        process: principal.process,
        protocolVersion: version,
        lastSeenAt: new Date(at).toISOString(),
        active,
      }));
  }

  /** Adds one listener per socket: a proxy may send the requests of several clients through the same socket. */
  #cameThrough(socket: ClosingSocket, entry: Seen): void {
    entry.sockets.add(socket);
    const known = this.#entriesOf.get(socket);
    if (known) {
      known.add(entry);
      return;
    }
    const entries = new Set([entry]);
    this.#entriesOf.set(socket, entries);
    socket.once('close', () => {
      for (const one of entries) one.sockets.delete(socket);
    });
  }

  #forget(): void {
    const limit = this.#now() - keptMs;
    for (const [key, seen] of this.#seen) {
      if (seen.active === 0 && (seen.at < limit || isGone(seen))) this.#seen.delete(key);
    }
  }
}

/** The name of a bridge process begins with its pid. A bridge whose process and sockets are gone cannot call again. */
function isGone({ principal, sockets }: Seen): boolean {
  const pid = Number(/^(\d+)-/.exec(principal.process ?? '')?.[1]);
  if (sockets.size > 0 || !(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    // EPERM: the process exists but belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

type ClosingSocket = Pick<Socket, 'once'>;

interface Seen {
  principal: Principal;
  name: string;
  version: string | null;
  at: number;
  active: number;
  /** The open sockets of this client. */
  sockets: Set<ClosingSocket>;
}

const keptMs = 5 * 60_000;

/** The version that an older client speaks with its bridge, which speaks a newer one with the app. */
function spokenVersion(body: unknown): string | undefined {
  const version = metaOf(body)?.[spokenVersionKey];
  return typeof version === 'string' && /^\d{4}-\d\d-\d\d$/.test(version) ? version : undefined;
}

/** The name that the client sends: with each request (2026-07-28), or in `initialize` (older versions). */
export function declaredName(body: unknown): string | undefined {
  const info = metaOf(body)?.['io.modelcontextprotocol/clientInfo'] ?? paramsOf(body)?.clientInfo;
  const name = (info as { name?: unknown } | null | undefined)?.name;
  return typeof name === 'string' ? plainName(name) : undefined;
}

function paramsOf(body: unknown): Record<string, unknown> | null | undefined {
  return (body as { params?: Record<string, unknown> | null } | null | undefined)?.params;
}

function metaOf(body: unknown): Record<string, unknown> | null | undefined {
  return paramsOf(body)?._meta as Record<string, unknown> | null | undefined;
}
