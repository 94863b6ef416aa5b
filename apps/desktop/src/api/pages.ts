/** The pages that read events, by the ids that they chose. A signal aborts when its page is gone. */
export class Pages {
  readonly #open = new Map<string, AbortController>();

  /** Call the returned function when the page is gone. */
  add(id: string): () => void {
    const page = new AbortController();
    this.#open.set(id, page);
    return () => {
      page.abort();
      // A page that lost its stream may have opened another one meanwhile.
      if (this.#open.get(id) === page) this.#open.delete(id);
    };
  }

  goneSignal(id: string): AbortSignal {
    return this.#open.get(id)?.signal ?? AbortSignal.abort();
  }
}
