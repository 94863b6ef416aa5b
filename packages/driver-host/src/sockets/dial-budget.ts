/** Bounds how many sockets one driver process may hold, and how fast it may ask for new ones. */
export class DialBudget {
  readonly #limits: DialLimits;
  readonly #now: () => number;
  #open = 0;
  #tokens: number;
  #refilledAt: number;
  #refused = 0;

  constructor(limits: DialLimits = defaultLimits, now: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
    this.#tokens = limits.burst;
    this.#refilledAt = now();
  }

  /** Takes a place, or says why there is none. `stop`: the driver asks on regardless. */
  take(): 'ok' | 'too_many' | 'too_fast' | 'stop' {
    this.#refill();
    const answer =
      this.#open >= this.#limits.open ? 'too_many' : this.#tokens < 1 ? 'too_fast' : ('ok' as const);
    if (answer === 'ok') {
      this.#open++;
      this.#tokens--;
      return answer;
    }
    return ++this.#refused > this.#limits.refusals ? 'stop' : answer;
  }

  release(): void {
    this.#open--;
  }

  #refill(): void {
    const now = this.#now();
    const { burst, perSecond } = this.#limits;
    this.#tokens = Math.min(burst, this.#tokens + ((now - this.#refilledAt) / 1000) * perSecond);
    this.#refilledAt = now;
    // A driver that waited until it may dial again begins anew.
    if (this.#tokens === burst) this.#refused = 0;
  }
}

export interface DialLimits {
  /** Sockets at one time. */
  open: number;
  /** Dials at once. */
  burst: number;
  /** Dials a second after that. */
  perSecond: number;
  /** Dials refused in a row before the driver is stopped. */
  refusals: number;
}

const defaultLimits: DialLimits = { open: 64, burst: 128, perSecond: 32, refusals: 1_000 };
