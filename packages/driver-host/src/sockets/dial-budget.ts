/** Limits the open sockets of one driver process, and the rate of new ones. */
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
   * Takes a slot and returns the delay of its dial in milliseconds, or the reason for a refusal. `stop`: the driver
   * asks for sockets in spite of many refusals or delays. A dial that comes too soon is delayed, not refused: if a
   * server resets its sockets, the driver dials often, and its calls must still work.
   */
  take(): number | 'too_many' | 'stop' {
    this.#refill();
    if (this.#open >= this.#limits.open) {
      return ++this.#refused > this.#limits.refusals ? 'stop' : 'too_many';
    }
    // Stops a driver that keeps dialling without waiting for its delayed dials. It may close each socket at once, and
    // so never reach the limit of open sockets.
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
    const { burst, perSecond, refusals } = this.#limits;
    const elapsed = now - this.#refilledAt;
    const gained = (elapsed / 1000) * perSecond;
    this.#tokens = Math.min(burst, this.#tokens + gained);
    this.#refilledAt = now;
    // A pause that is long enough to gain all tokens resets the count of refusals. `#tokens` does not show a pause: it
    // is also full after many refused dials, which take no token.
    if (gained >= burst) this.#refused = 0;
    // A driver that dials all the time has no pause. Its few refusals must not add up over hours.
    this.#refused = Math.max(0, this.#refused - (elapsed / forgetMs) * refusals);
  }
}

export interface DialLimits {
  /** Open sockets at one time. */
  open: number;
  /** Dials without delay. */
  burst: number;
  /** Dials per second after the burst. */
  perSecond: number;
  /**
   * The driver is stopped when its count of refusals is above this number, or when it is this many dials ahead
   * of the rate. The count falls with time (`forgetMs`), and starts again after a pause.
   */
  refusals: number;
}

/** In this time, the count of refusals falls by `DialLimits.refusals`. */
const forgetMs = 60_000;

/** The rates are high, since a server without keep-alive needs a new socket for each request. */
const defaultLimits: DialLimits = { open: 64, burst: 256, perSecond: 256, refusals: 1_000 };
