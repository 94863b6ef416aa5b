import type { Call } from './call.ts';

/** Limits how many calls run at the same time. Further calls wait in their order of arrival. */
export class Slots {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(count: number) {
    this.#free = count;
  }

  /** False: no slot is free. The caller must `wait`. */
  take(): boolean {
    if (this.#free === 0) return false;
    this.#free--;
    return true;
  }

  /** Resolves when the call has a slot. Rejects if the call is cancelled before that. */
  wait(call: Call): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.add(resolve);
    call.onCancel = () => {
      this.#waiting.delete(resolve);
      reject(new Error('Cancelled'));
    };
    return promise;
  }

  give(): void {
    const [next] = this.#waiting;
    if (!next) this.#free++;
    else {
      this.#waiting.delete(next);
      next();
    }
  }
}
