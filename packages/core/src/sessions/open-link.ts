import type { DriverLink } from '@trestle/driver-host';

/** A driver's process as a session uses it: how many calls run on it, and when it last gave a result. */
export class OpenLink {
  readonly link: DriverLink;
  running = 0;
  /** The health check under way, which serves all who ask. */
  check: Promise<void> | undefined;
  #answeredAt = Number.NEGATIVE_INFINITY;

  constructor(link: DriverLink) {
    this.link = link;
  }

  /** A call, or one batch of a stream, has succeeded. */
  answered(): void {
    this.#answeredAt = performance.now();
  }

  hasAnsweredSince(moment: number): boolean {
    return this.#answeredAt >= moment;
  }
}
