import type { DriverLink } from '@trestle/driver-host';

/** A driver's process as a session uses it: the number of running calls, and the time of the last result. */
export class OpenLink {
  readonly link: DriverLink;
  running = 0;
  /** The process ended before the session closed the link. The session then closed it. */
  isLost = false;
  /** The running health check. All callers share it. */
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
