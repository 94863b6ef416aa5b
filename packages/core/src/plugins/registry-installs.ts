import type { RegistryEntry } from '@trestle/driver-kit/registry';
import type { EventHub } from '../events/events.ts';
import { SharedTask } from '../shared-task.ts';
import { cancelledError } from '../translate-error.ts';
import type { DriverDetails, InstallProgress, InstallStep } from '../types.ts';

interface Parts {
  events: EventHub;
  openConnections(driverId: string): string[];
  choose(id: string, signal: AbortSignal): Promise<RegistryEntry>;
  install(
    entry: RegistryEntry,
    options: {
      signal: AbortSignal;
      onStep(step: InstallStep): void;
      onProgress(received: number): void;
    },
  ): Promise<DriverDetails>;
}

interface Running {
  task: SharedTask<DriverDetails>;
  progress: InstallProgress | null;
}

/** Running installs from the registry. Callers that want the same driver wait for the same install. */
export class RegistryInstalls {
  readonly #parts: Parts;
  readonly #running = new Map<string, Running>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  list(): InstallProgress[] {
    return [...this.#running.values()].flatMap(({ progress }) => progress ?? []);
  }

  cancel(id: string): void {
    this.#running.get(id)?.task.abort();
  }

  install(id: string, signal: AbortSignal): Promise<DriverDetails> {
    const known = this.#running.get(id);
    if (known && !known.task.isAborted) return known.task.join(signal);
    const running: Running = { progress: null, task: new SharedTask((own) => this.#run(id, own)) };
    this.#running.set(id, running);
    void running.task.settled.then(() => {
      if (this.#running.get(id) === running) this.#running.delete(id);
      this.#parts.events.emit({ type: 'installsChanged' });
    });
    return running.task.join(signal);
  }

  async #run(id: string, signal: AbortSignal): Promise<DriverDetails> {
    const entry = await this.#parts.choose(id, signal);
    const { name, version } = entry.manifest;
    const { size } = entry;
    const report = (step: InstallStep, received: number, waitsFor?: string[]) => {
      // A cancelled install must not overwrite the progress of a new install of the same driver.
      if (signal.aborted) return;
      this.#report(id, { id, name, version, step, received, size, ...(waitsFor && { waitsFor }) });
    };
    await this.#untilUnused(id, signal, (names) => report('wait', 0, names));
    let received = 0;
    let told = 0;
    return this.#parts.install(entry, {
      signal,
      onStep: (step) => report(step, received),
      onProgress: (bytes) => {
        received = bytes;
        // A progress bar needs at most a hundred reports.
        if (bytes !== size && bytes - told < size / 100) return;
        told = bytes;
        report('download', bytes);
      },
    });
  }

  #report(id: string, progress: InstallProgress): void {
    const running = this.#running.get(id);
    if (running) running.progress = progress;
    this.#parts.events.emit({ type: 'installsChanged' });
  }

  /** Waits until the driver has no open connection: a driver in use is not replaced. */
  async #untilUnused(id: string, signal: AbortSignal, tell: (names: string[]) => void): Promise<void> {
    const { events, openConnections } = this.#parts;
    if (openConnections(id).length === 0) return;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const look = () => {
      const names = openConnections(id);
      if (names.length === 0) resolve();
      else tell(names);
    };
    const onAbort = () => reject(cancelledError());
    const stop = events.on(({ type }) => {
      if (type === 'sessionChanged') look();
    });
    // A serial driver has a separate session for external clients. No event reports its end.
    const poll = setInterval(() => {
      if (openConnections(id).length === 0) resolve();
    }, pollMs).unref();
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      look();
      await promise;
    } finally {
      stop();
      clearInterval(poll);
      signal.removeEventListener('abort', onAbort);
    }
  }
}

const pollMs = 500;
