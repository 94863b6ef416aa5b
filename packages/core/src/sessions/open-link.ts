import type { DriverLink } from '@trestle/driver-host';

/** A link that a session uses, with the number of running calls and the time of the last result. */
export class OpenLink {
  readonly link: DriverLink;
  running = 0;
  /** True if the session closed the link because its process had ended. */
  isLost = false;
  /** The running health check. No second check starts before it ends. */
  check: Promise<void> | undefined;
  #answeredAt = Number.NEGATIVE_INFINITY;

  constructor(link: DriverLink) {
    this.link = link;
  }

  /** A call, or one batch of a stream, succeeded. */
  answered(): void {
    this.#answeredAt = performance.now();
  }

  hasAnsweredSince(moment: number): boolean {
    return this.#answeredAt >= moment;
  }
}
