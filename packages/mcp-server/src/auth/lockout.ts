export interface LockoutValues {
  maxFailures: number;
  windowMs: number;
  lockMs: number;
}

/**
 * Too many requests with an unknown token start a lockout. By default, five such requests within 60 seconds start a
 * lockout of five minutes. All clients come from 127.0.0.1, so a lockout applies to all of them. During a lockout, a
 * token passes only if it was accepted before, or if it is the bridge's. Otherwise any program on the machine could
 * lock out working clients.
 */
export class Lockout {
  readonly #values: () => LockoutValues;
  readonly #now: () => number;
  readonly #known = new Set<string>();
  readonly #told = new Map<string, number>();
  #failures: number[] = [];
  #lockedUntil = 0;
  #hasRefused = false;

  /** The clock must not go back: a corrected time could make a lockout last for hours. */
  constructor(values: () => LockoutValues, now: () => number = () => performance.now()) {
    this.#values = values;
    this.#now = now;
  }

  /** Seconds until the lockout ends. 0: there is no lockout. */
  secondsLeft(): number {
    return Math.max(0, Math.ceil((this.#lockedUntil - this.#now()) / 1000));
  }

  knows(tokenId: string): boolean {
    return this.#known.has(tokenId);
  }

  /** True for the first use of this token. */
  succeeded(tokenId: string): boolean {
    const first = !this.#known.has(tokenId);
    this.#known.add(tokenId);
    return first;
  }

  /** True for the first refusal during a lockout. */
  refused(): boolean {
    const first = !this.#hasRefused;
    this.#hasRefused = true;
    return first;
  }

  /** For refusals that cause no lockout. True at most once a minute per kind, so retries do not fill the log. */
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
