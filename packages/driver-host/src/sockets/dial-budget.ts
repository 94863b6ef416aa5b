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

  /**
   * Takes a place, and gives how many milliseconds its dial has to wait; or says why there is none. `stop`: the driver
   * asks on regardless. A dial that comes too fast waits: a server that resets sockets must not fail other calls.
   */
  take(): number | 'too_many' | 'stop' {
    this.#refill();
    if (this.#open >= this.#limits.open) {
      return ++this.#refused > this.#limits.refusals ? 'stop' : 'too_many';
    }
    // Sockets that it closes at once do not count as open; a thousand dials in debt are no mistake.
    if (-this.#tokens >= this.#limits.refusals) return 'stop';
    this.#open++;
    this.#tokens--;
    return this.#tokens >= 0 ? 0 : Math.ceil((-this.#tokens / this.#limits.perSecond) * 1000);
  }

  release(): void {
    this.#open--;
  }

  #refill(): void {
    const now = this.#now();
    const { burst, perSecond } = this.#limits;
    const gained = ((now - this.#refilledAt) / 1000) * perSecond;
    this.#tokens = Math.min(burst, this.#tokens + gained);
    this.#refilledAt = now;
    // A driver that asked for none for a while begins anew. A refused dial takes no token, so the number of tokens does
    // not tell: a driver that asks on would begin anew at each dial.
    if (gained >= burst) this.#refused = 0;
  }
}

export interface DialLimits {
  /** Sockets at one time. */
  open: number;
  /** Dials at once. */
  burst: number;
  /** Dials a second after that. */
  perSecond: number;
  /** Dials refused in a row, or waiting and given up, before the driver is stopped. */
  refusals: number;
}

/** A server without keep-alive takes a socket for each request. */
const defaultLimits: DialLimits = { open: 64, burst: 256, perSecond: 256, refusals: 1_000 };
