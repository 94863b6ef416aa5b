export interface LockoutValues {
  maxFailures: number;
  windowMs: number;
  lockMs: number;
}

/**
 * Five failed authentications in 60 seconds close the door for five minutes. Every client is 127.0.0.1, so the
 * door is one for all; whoever had already proved himself passes it, or any stranger on the machine could lock
 * out working clients.
 */
export class Lockout {
  readonly #values: () => LockoutValues;
  readonly #now: () => number;
  readonly #known = new Set<string>();
  readonly #told = new Map<string, number>();
  #failures: number[] = [];
  #lockedUntil = 0;
  #hasRefused = false;

  constructor(values: () => LockoutValues, now: () => number = Date.now) {
    this.#values = values;
    this.#now = now;
  }

  /** Seconds until it opens again, for tokens not seen before; 0 while it is open. */
  secondsLeft(): number {
    return Math.max(0, Math.ceil((this.#lockedUntil - this.#now()) / 1000));
  }

  knows(tokenId: string): boolean {
    return this.#known.has(tokenId);
  }

  /** True the first time. */
  succeeded(tokenId: string): boolean {
    const first = !this.#known.has(tokenId);
    this.#known.add(tokenId);
    return first;
  }

  /** True the first time while it is closed. */
  refused(): boolean {
    const first = !this.#hasRefused;
    this.#hasRefused = true;
    return first;
  }

  /** True once a minute for each kind of refusal that never closes it: a client may ask on and on. */
  tells(kind: string): boolean {
    const now = this.#now();
    if (now - (this.#told.get(kind) ?? Number.NEGATIVE_INFINITY) < 60_000) return false;
    this.#told.set(kind, now);
    return true;
  }

  failed(): void {
    const now = this.#now();
    if (now < this.#lockedUntil) return;
    const { maxFailures, windowMs, lockMs } = this.#values();
    this.#failures = [...this.#failures.filter((at) => now - at < windowMs), now];
    if (this.#failures.length < maxFailures) return;
    this.#lockedUntil = now + lockMs;
    this.#hasRefused = false;
    this.#failures = [];
  }
}
