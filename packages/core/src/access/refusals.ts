import type { Caller } from '../types.ts';
import { bridgeTokenName } from './decide-access.ts';

type Client = Extract<Caller, { kind: 'client' }>;

/** The user's noes, each for a while, by who holds the token and what was refused. */
export class Refusals {
  readonly #holdMs: number;
  readonly #until = new Map<string, number>();
  /** When the user last said no to any bridge process, by what was refused. */
  readonly #lastOfBridges = new Map<string, number>();
  readonly #firstSeen = new Map<string, number>();

  constructor(holdMs: number) {
    this.#holdMs = holdMs;
  }

  add(caller: Client, subject: string): void {
    const now = Date.now();
    for (const [key, until] of this.#until) if (until <= now) this.#until.delete(key);
    this.#until.set(keyOf(caller, subject), now + this.#holdMs);
    if (isBridge(caller)) this.#lastOfBridges.set(subject, now);
  }

  covers(caller: Client, subject: string): boolean {
    const now = Date.now();
    const isRefused = (this.#until.get(keyOf(caller, subject)) ?? 0) > now;
    return isRefused || (isBridge(caller) && this.#isNewcomer(caller, subject, now));
  }

  /** A bridge names its process itself. One that first shows up after a no may be the same under another name. */
  #isNewcomer({ process }: Client, subject: string, now: number): boolean {
    const holder = process ?? '';
    if (this.#firstSeen.size > 10_000) this.#firstSeen.clear();
    const first = this.#firstSeen.get(holder) ?? now;
    this.#firstSeen.set(holder, first);
    const refusedAt = this.#lastOfBridges.get(subject);
    return refusedAt !== undefined && refusedAt + this.#holdMs > now && first > refusedAt;
  }
}

/** The bridge's token is replaced every hour, and the user must not be asked again for that. */
export function holderOf({ token, process }: Client): string {
  const isNamed = token.name === bridgeTokenName && process !== null;
  return JSON.stringify(isNamed ? ['bridge', process] : ['token', token.id, process]);
}

function isBridge({ token }: Client): boolean {
  return token.name === bridgeTokenName;
}

function keyOf(caller: Client, subject: string): string {
  return `${holderOf(caller)} ${subject}`;
}
