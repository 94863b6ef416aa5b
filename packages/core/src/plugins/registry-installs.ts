import type { RegistryEntry } from '@trestle/driver-kit/registry';
import type { EventHub } from '../events/events.ts';
import type { JobList } from '../jobs/jobs.ts';
import { SharedTask } from '../shared-task.ts';
import { cancelledError } from '../translate-error.ts';
import type { DriverDetails, InstallDetail, InstallStep, RunningJob } from '../types.ts';
import { installWords } from './install-words.ts';

interface Parts {
  events: EventHub;
  jobs: JobList;
  /** The driver's name. Its id, if no index has named the driver yet. */
  nameOf(driverId: string): string;
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

/** Installs from the registry. Each is a job. Callers that want the same driver wait for the same install. */
export class RegistryInstalls {
  readonly #parts: Parts;
  readonly #running = new Map<string, SharedTask<DriverDetails>>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  install(id: string, signal: AbortSignal): Promise<DriverDetails> {
    const known = this.#running.get(id);
    if (known && !known.isAborted && !known.isDone) return known.join(signal);
    const task: SharedTask<DriverDetails> = new SharedTask((left) =>
      this.#begin(id, left, () => task.abort()),
    );
    this.#running.set(id, task);
    return task.join(signal);
  }

  /** `left` aborts when no caller waits any more. `onCancel` is called when the user cancels the job. */
  #begin(id: string, left: AbortSignal, onCancel: () => void): Promise<DriverDetails> {
    const detail: InstallDetail = { driver: id, steps: [] };
    const spec = { kind: 'install' as const, id: `install ${id}`, detail: () => detail };
    let driver!: Promise<DriverDetails>;
    const { over } = this.#parts.jobs.run(
      { ...spec, title: `Install ${this.#parts.nameOf(id)}` },
      async (job) => {
        job.signal.addEventListener('abort', onCancel, { once: true });
        driver = this.#run(id, job, { detail, signal: left });
        const { name, version } = (await driver).manifest;
        return { how: 'complete', words: `${name} ${version} is installed` };
      },
    );
    return over.then(() => driver);
  }

  async #run(
    id: string,
    job: RunningJob,
    { detail, signal }: { detail: InstallDetail; signal: AbortSignal },
  ): Promise<DriverDetails> {
    const entry = await this.#parts.choose(id, signal);
    const { size } = entry;
    let received = 0;
    const report = (step: InstallStep, waitsFor: string[] = []) => {
      if (detail.steps.at(-1) !== step) detail.steps.push(step);
      const total = step === 'wait' ? null : size;
      job.report({ done: received, total, words: installWords(step, { received, size, waitsFor }) });
    };
    await this.#untilUnused(id, signal, (names) => report('wait', names));
    return this.#parts.install(entry, {
      signal,
      onStep: report,
      onProgress: (bytes) => {
        received = bytes;
        report('download');
      },
    });
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
