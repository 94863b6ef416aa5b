import { cancelledError } from './translate-error.ts';

/** One piece of work that several callers wait for. It is aborted when the last of them has gone. */
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
    // Handles a rejection too: without a waiter it must not end the process.
    this.#promise.then(finish, finish);
  }

  /** Gives up waiting when the signal fires; the work goes on for the others. */
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

  /** Without effect once the work is done. */
  abort(): void {
    if (!this.#done) this.#controller.abort();
  }

  get isDone(): boolean {
    return this.#done;
  }

  /** Nobody waited for it any more. A caller that joins now gets `cancelled`. */
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
