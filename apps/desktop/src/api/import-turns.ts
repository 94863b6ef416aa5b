interface Turn {
  abort: AbortController;
  /** Call it when the import has ended, for whatever reason. */
  end(): void;
}

/**
 * The running imports, by file. A window that lost its connection may start its import again. So a second import of a
 * file cancels the first and waits until the first has ended. If both ran at once, each row whose id comes from the
 * database would be stored twice.
 */
export class ImportTurns {
  readonly #running = new Map<string, { abort: AbortController; ended: Promise<void> }>();

  async take(fileId: string): Promise<Turn> {
    const before = this.#running.get(fileId);
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const one = { abort: new AbortController(), ended };
    // Set before the `await`, so that a request that comes at the same moment finds this import.
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
