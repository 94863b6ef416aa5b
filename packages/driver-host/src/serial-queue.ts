import { cancelled } from './watch-call.ts';

/** Runs one task at a time, in order. A task that is cancelled before its turn never starts. */
export class SerialQueue {
  readonly #waiting: (() => void)[] = [];
  #busy = false;

  async run<T>(signal: AbortSignal, task: () => Promise<T>): Promise<T> {
    const leave = await this.enter(signal);
    try {
      return await task();
    } finally {
      leave();
    }
  }

  /** Waits for the caller's turn. The turn ends when the caller calls the returned function. */
  async enter(signal: AbortSignal): Promise<() => void> {
    await this.#turn(signal);
    return () => {
      this.#busy = false;
      this.#waiting.shift()?.();
    };
  }

  #turn(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.reject(cancelled());
    if (!this.#busy) {
      this.#busy = true;
      return Promise.resolve();
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const begin = () => {
      signal.removeEventListener('abort', onAbort);
      this.#busy = true;
      resolve();
    };
    const onAbort = () => {
      this.#waiting.splice(this.#waiting.indexOf(begin), 1);
      reject(cancelled());
    };
    signal.addEventListener('abort', onAbort, { once: true });
    this.#waiting.push(begin);
    return promise;
  }
}
