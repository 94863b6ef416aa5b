interface Turn {
  abort: AbortController;
  /** Call it when the import has ended, for whatever reason. */
  end(): void;
}

/**
 * The running imports, by file. A second import of a file ends the first and waits until it has ended: a window that
 * lost its connection may start its import again. If both ran at once, each row whose id comes from the database
 * would be stored twice.
 */
export class ImportTurns {
  readonly #running = new Map<string, { abort: AbortController; ended: Promise<void> }>();

  async take(fileId: string): Promise<Turn> {
    const before = this.#running.get(fileId);
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const one = { abort: new AbortController(), ended };
    // Set before the first wait: two requests may come at the same moment.
    this.#running.set(fileId, one);
    before?.abort.abort();
    await before?.ended;
    return {
      abort: one.abort,
      end: () => {
        if (this.#running.get(fileId) === one) this.#running.delete(fileId);
        resolve();
      },
    };
  }

  cancel(fileId: string): void {
    this.#running.get(fileId)?.abort.abort();
  }
}
