import { type Principal, plainName, principalKey } from './auth/principal.ts';
import type { HeaderReader } from './incoming.ts';

/** A client of the last while, for the list in Settings. */
export interface ConnectedClient {
  tokenName: string;
  /** As it declares itself. */
  clientName: string;
  /** Of the bridge, where it comes through one. */
  process: string | null;
  protocolVersion: string | null;
  lastSeenAt: string;
  /** Requests and subscriptions under way. */
  active: number;
}

/** Who is connected: whoever has something under way, or asked within the last minutes. */
export class Clients {
  readonly #now: () => number;
  readonly #seen = new Map<string, Seen>();

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** A request came, which lasts until the function is called. */
  saw(principal: Principal, headers: HeaderReader, body: unknown): () => void {
    const key = principalKey(principal);
    const declared = declaredName(body);
    const fresh: Seen = { principal, name: 'unknown client', version: null, at: 0, active: 0 };
    const entry = this.#seen.get(key) ?? fresh;
    if (declared !== undefined) entry.name = declared;
    entry.version = headers.get('mcp-protocol-version') ?? entry.version;
    entry.at = this.#now();
    entry.active++;
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

  #forget(): void {
    const limit = this.#now() - keptMs;
    for (const [key, { at, active }] of this.#seen) if (active === 0 && at < limit) this.#seen.delete(key);
  }
}

interface Seen {
  principal: Principal;
  name: string;
  version: string | null;
  at: number;
  active: number;
}

const keptMs = 5 * 60_000;

/** With every request of 2026-07-28, and in the `initialize` of older clients. */
export function declaredName(body: unknown): string | undefined {
  const { params } = (body ?? {}) as {
    params?: { _meta?: Record<string, unknown>; clientInfo?: unknown } | null;
  };
  const info = params?._meta?.['io.modelcontextprotocol/clientInfo'] ?? params?.clientInfo;
  const name = (info as { name?: unknown } | null | undefined)?.name;
  return typeof name === 'string' ? plainName(name) : undefined;
}
