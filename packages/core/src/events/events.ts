import type { Logger } from 'pino';
import type { CoreEvent, Events } from '../types.ts';

/** Reports that something changed. If a listener throws, `emit` logs the error and calls the other listeners. */
export class EventHub implements Events {
  readonly #listeners = new Set<(event: CoreEvent) => void>();
  readonly #log: Logger;

  constructor(log: Logger) {
    this.#log = log;
  }

  on(listener: (event: CoreEvent) => void): () => void {
    // One entry per subscription, so the same function can be added and removed twice.
    const own = (event: CoreEvent) => listener(event);
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  emit(event: CoreEvent): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(event);
      } catch (error) {
        this.#log.error({ event: event.type, problem: String(error) }, 'An event listener failed');
      }
    }
  }
}
