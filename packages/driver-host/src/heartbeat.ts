import type { LinkTiming } from './timing.ts';

/**
 * Detects a driver whose event loop is blocked. It counts missed beats, not time: while the machine sleeps or the app's
 * own event loop is blocked, no beats are sent, so none are missed.
 */
export class Heartbeat {
  readonly #timer: NodeJS.Timeout;
  #missed = 0;

  constructor(timing: LinkTiming, host: { busy: () => boolean; ping: () => void; onHung: () => void }) {
    this.#timer = setInterval(() => {
      if (!host.busy()) this.#missed = 0;
      else if (this.#missed++ >= timing.missedHeartbeats) host.onHung();
      else host.ping();
    }, timing.heartbeatMs);
    this.#timer.unref();
  }

  answered(): void {
    this.#missed = 0;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
