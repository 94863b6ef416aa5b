import type { OpenLink } from './open-link.ts';

/** Links that a session no longer uses. Calls may still run on them: the last call closes its link. */
export class EndingLinks {
  readonly #onFailure: (error: unknown) => void;
  readonly #inUse = new Set<OpenLink>();
  readonly #closing = new Set<Promise<void>>();

  constructor(onFailure: (error: unknown) => void) {
    this.#onFailure = onFailure;
  }

  /** Closes the link after its running calls, or at once if `endCalls` is set. */
  add(open: OpenLink, { endCalls }: { endCalls: boolean }): void {
    if (endCalls || open.running === 0) this.#close(open);
    else this.#inUse.add(open);
  }

  callEnded(open: OpenLink): void {
    if (open.running === 0 && this.#inUse.has(open)) this.#close(open);
  }

  /** Ends all running calls. Resolves when every link is closed. */
  async closeAll(): Promise<void> {
    for (const open of this.#inUse) this.#close(open);
    await Promise.all(this.#closing);
  }

  #close(open: OpenLink): void {
    this.#inUse.delete(open);
    const closing = open.link
      .close()
      .catch(this.#onFailure)
      .finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }
}
