/** Measures the duration of a call, without the time that the call waited for the user. */
export class Stopwatch {
  readonly #started = performance.now();
  #waited = 0;

  get ms(): number {
    return performance.now() - this.#started - this.#waited;
  }

  async leaveOut<T>(wait: () => Promise<T>): Promise<T> {
    const before = performance.now();
    try {
      return await wait();
    } finally {
      this.#waited += performance.now() - before;
    }
  }
}
