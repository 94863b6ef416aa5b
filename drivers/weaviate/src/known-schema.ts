import { DriverError } from '@trestle/driver-kit';
import type { WeaviateClient } from './client.ts';
import { type Collection, readCollections } from './schema.ts';

/** How long a call may use the schema of an earlier call. Some calls, such as saves and imports, never do. */
const lifetimeMs = 5_000;

/** The schema as it was read last. Calls that arrive while it is read share that reading: a schema may be large. */
export class KnownSchema {
  readonly #client: WeaviateClient;
  #known: { collections: Collection[]; readAt: number } | null = null;
  #running: Reading | null = null;

  constructor(client: WeaviateClient) {
    this.#client = client;
  }

  async read(signal: AbortSignal, { fresh = false } = {}): Promise<Collection[]> {
    const known = this.#known;
    if (!fresh && known && performance.now() - known.readAt < lifetimeMs) return known.collections;
    if (fresh || !this.#running || this.#running.isAborted) this.#running = this.#start();
    return this.#running.join(signal);
  }

  /** The next call reads the schema again. A reading that is under way may have begun before a change. */
  forget(): void {
    this.#known = null;
    this.#running = null;
  }

  #start(): Reading {
    const reading = new Reading(async (signal) => {
      try {
        const collections = await readCollections(this.#client, signal);
        // From its end, because the reading of a large schema may itself take longer than the lifetime.
        if (this.#running === reading) this.#known = { collections, readAt: performance.now() };
        return collections;
      } finally {
        if (this.#running === reading) this.#running = null;
      }
    });
    return reading;
  }
}

/** A reading that several calls wait for. It is aborted when the last of them leaves. */
class Reading {
  readonly #controller = new AbortController();
  readonly #answer: Promise<Collection[]>;
  #waiting = 0;

  constructor(read: (signal: AbortSignal) => Promise<Collection[]>) {
    this.#answer = Promise.resolve().then(() => read(this.#controller.signal));
    // If no call waits, an unhandled rejection would end the process.
    this.#answer.catch(() => {});
  }

  get isAborted(): boolean {
    return this.#controller.signal.aborted;
  }

  async join(signal: AbortSignal): Promise<Collection[]> {
    this.#waiting++;
    const left = Promise.withResolvers<never>();
    const leave = () => left.reject(new DriverError({ code: 'cancelled', message: 'Cancelled' }));
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
    try {
      return await Promise.race([this.#answer, left.promise]);
    } finally {
      signal.removeEventListener('abort', leave);
      if (--this.#waiting === 0) this.#controller.abort();
    }
  }
}
