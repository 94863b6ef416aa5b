import type { Caller } from '../types.ts';
import { isBridge } from './decide-access.ts';

type Client = Extract<Caller, { kind: 'client' }>;

/**
 * The user's refusals. Each holds for a while, for one token or bridge process, and for one subject: a connection, or
 * destructive statements on it. The refusal of a bridge process also covers bridge processes that had no admitted
 * call before that refusal.
 */
export class Refusals {
  readonly #holdMs: number;
  readonly #until = new Map<string, number>();
  /** For each subject: when the user last refused any bridge process. */
  readonly #lastOfBridges = new Map<string, number>();
  /** For each bridge process: when its first admitted call began. */
  readonly #firstAdmitted = new Map<string, number>();

  constructor(holdMs: number) {
    this.#holdMs = holdMs;
  }

  add(caller: Client, subject: string): void {
    const now = performance.now();
    for (const [key, until] of this.#until) if (until <= now) this.#until.delete(key);
    this.#until.set(keyOf(caller, subject), now + this.#holdMs);
    if (isBridge(caller)) this.#lastOfBridges.set(subject, now);
  }

  covers(caller: Client, subject: string): boolean {
    const now = performance.now();
    const isRefused = (this.#until.get(keyOf(caller, subject)) ?? 0) > now;
    return isRefused || (isBridge(caller) && this.#isNewcomer(caller, subject, now));
  }

  /**
   * `since`: when an admitted call of this client began. Refused calls do not count. Otherwise a bridge could
   * register spare process names with refused calls, and switch to one after a refusal.
   */
  noteAdmitted(caller: Client, since: number): void {
    const holder = caller.process ?? '';
    if (!isBridge(caller) || this.#firstAdmitted.has(holder)) return;
    if (this.#firstAdmitted.size > 10_000) this.#firstAdmitted.clear();
    this.#firstAdmitted.set(holder, since);
  }

  /**
   * A bridge chooses its own process name. A process that was not admitted before a refusal may be the refused one under
   * a new name.
   */
  #isNewcomer({ process }: Client, subject: string, now: number): boolean {
    const first = this.#firstAdmitted.get(process ?? '') ?? now;
    const refusedAt = this.#lastOfBridges.get(subject);
    return refusedAt !== undefined && refusedAt + this.#holdMs > now && first > refusedAt;
  }
}

/**
 * The holder of the user's answers: a bridge process, or a token. The app replaces the token of a bridge process from
 * time to time. The bridge process keeps the answers.
 */
export function holderOf(caller: Client): string {
  const { token, process } = caller;
  const isNamed = isBridge(caller) && process !== null;
  return JSON.stringify(isNamed ? ['bridge', process] : ['token', token.id, process]);
}

function keyOf(caller: Client, subject: string): string {
  return `${holderOf(caller)} ${subject}`;
}
