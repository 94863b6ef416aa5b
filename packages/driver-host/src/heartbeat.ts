import type { LinkTiming } from './timing.ts';

/**
 * Notices a driver whose event loop no longer turns. It counts beats and not time: after the machine slept, or
 * while the app itself was busy, the answers are late but no beats were missed.
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
