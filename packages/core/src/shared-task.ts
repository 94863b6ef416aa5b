import { cancelledError } from './translate-error.ts';

/** Work that several callers wait for. It is aborted when the last of them leaves. */
export class SharedTask<T> {
  readonly #controller = new AbortController();
  readonly #promise: Promise<T>;
  #waiting = 0;
  #done = false;

  constructor(work: (signal: AbortSignal) => Promise<T>) {
    this.#promise = work(this.#controller.signal);
    const finish = () => {
      this.#done = true;
    };
    // Also handles a rejection: if no caller waits, an unhandled rejection would end the process.
    this.#promise.then(finish, finish);
  }

  /** Waits for the result, or until the signal fires. The work continues while other callers wait for it. */
  async join(signal: AbortSignal): Promise<T> {
    if (signal.aborted) {
      if (this.#waiting === 0) this.abort();
      throw cancelledError();
    }
    this.#waiting++;
    const left = Promise.withResolvers<never>();
    const onAbort = () => left.reject(cancelledError());
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      return await Promise.race([this.#promise, left.promise]);
    } finally {
      signal.removeEventListener('abort', onAbort);
      if (--this.#waiting === 0) this.abort();
    }
  }

  /** Has no effect once the work is done. */
  abort(): void {
    if (!this.#done) this.#controller.abort();
  }

  get isDone(): boolean {
    return this.#done;
  }

  /**
   * The last waiting caller has left, or `abort` was called, before the work was done. A caller that joins now may get
   * `cancelled`.
   */
  get isAborted(): boolean {
    return this.#controller.signal.aborted;
  }

  get settled(): Promise<void> {
    return this.#promise.then(
      () => {},
      () => {},
    );
  }
}
