import { DriverError, type DriverErrorDetails } from '@trestle/driver-kit';
import { type FromHost, firstCallId, type ToHost } from './protocol.ts';
import { cancelled, type LinkCall, watchCall } from './watch-call.ts';

/** The running calls of one driver process, and the cancelled calls that it has not ended yet. */
export class PendingCalls {
  readonly #host: PendingCallsHost;
  readonly #waiting = new Map<number, Waiting>();
  readonly #lettingGo = new Map<number, LettingGo>();
  #nextId = firstCallId;

  constructor(host: PendingCallsHost) {
    this.#host = host;
  }

  get busy(): boolean {
    return this.#waiting.size + this.#lettingGo.size > 0;
  }

  nextId(): number {
    return this.#nextId++;
  }

  /** Sends a message and waits for its answer. `onStop` runs if the sent call is cancelled or times out. */
  wait(id: number, message: ToHost, call: LinkCall, onStop: (error: DriverError) => void): Promise<unknown> {
    if (call.signal.aborted) return Promise.reject(cancelled());
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const release = watchCall(call, this.#host.driverName, (error) => {
      this.#waiting.delete(id);
      reject(error);
      onStop(error);
    });
    this.#waiting.set(id, { resolve, reject, release });
    try {
      this.#host.send(message);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.settle({ type: 'failed', id, error: { code: 'invalid_argument', message: reason } });
    }
    return promise;
  }

  /** Whether the app has made this call. An answer to any other call is invented. */
  isKnown(id: number): boolean {
    return id < this.#nextId;
  }

  /** Ignores an answer without a waiting call: it is late. */
  settle(answer: Extract<FromHost, { type: 'reply' | 'failed' }>): void {
    const waiting = this.#waiting.get(answer.id);
    if (!waiting) return;
    this.#waiting.delete(answer.id);
    waiting.release();
    if (answer.type === 'reply') waiting.resolve(answer.value);
    else waiting.reject(this.#host.errorOf(answer.error));
  }

  /** Asks the driver to cancel a call. `onStuck` runs if the call has not ended within the grace period. */
  cancel(id: number): void {
    if (this.#lettingGo.has(id)) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(() => this.#host.onStuck(), this.#host.graceMs);
    this.#lettingGo.set(id, { promise, resolve, timer });
    this.#host.send({ type: 'cancel', id });
  }

  ended(id: number): void {
    const entry = this.#lettingGo.get(id);
    if (!entry) return;
    this.#lettingGo.delete(id);
    clearTimeout(entry.timer);
    entry.resolve();
  }

  /** Resolves when the driver has ended every cancelled call, or when the process is ending. */
  async steady(): Promise<void> {
    await Promise.all(Array.from(this.#lettingGo.values(), (entry) => entry.promise));
  }

  failAll(error: DriverErrorDetails): void {
    for (const id of [...this.#lettingGo.keys()]) this.ended(id);
    for (const { reject, release } of this.#waiting.values()) {
      release();
      reject(new UnansweredError(error));
    }
    this.#waiting.clear();
  }
}

/** The process ended after the call was sent and before its answer came. The driver may have carried it out. */
export class UnansweredError extends DriverError {}

interface PendingCallsHost {
  driverName: string;
  graceMs: number;
  /** The error of a failed call. The driver may send anything in its place. */
  errorOf: (sent: unknown) => Error;
  send: (message: ToHost) => void;
  onStuck: () => void;
}

interface Waiting {
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
  release: () => void;
}

interface LettingGo {
  promise: Promise<void>;
  resolve: () => void;
  timer: NodeJS.Timeout;
}
