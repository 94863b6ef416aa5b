import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { AppError, appErrorDetails, isAppError } from '../errors.ts';
import { spaced } from '../events/spaced.ts';
import type {
  CoreEvent,
  DetailedJob,
  Job,
  JobKind,
  JobOutcome,
  JobProgress,
  JobSpec,
  Jobs,
  RunningJob,
} from '../types.ts';

interface Entry {
  job: Job;
  spec: JobSpec;
  abort: AbortController;
  over: Promise<void>;
  held?: Held;
}

/** Work that a window or a command does. */
interface Held {
  isAttended: boolean;
  lost: JobOutcome;
  report(progress: JobProgress): void;
  end(outcome: JobOutcome): void;
}

interface Parts {
  events: { emit(event: CoreEvent): void };
  log: Pick<Logger, 'error'>;
}

/** Beyond this number, jobs that have ended are forgotten: first the oldest complete ones. */
const keptEnded = 50;

/** The least time between two events about the progress of one job. */
const paceMs = 250;

/** The one list of jobs. Each kind of work runs in `run`, which stores its outcome whatever happens. */
export class JobList implements Jobs {
  readonly #parts: Parts;
  readonly #entries = new Map<string, Entry>();
  #isClosing = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  list(): Job[] {
    return Array.from(this.#entries.values(), ({ job }) => job).reverse();
  }

  get(id: string): DetailedJob {
    const entry = this.#existing(id);
    return { ...entry.job, detail: entry.spec.detail() } as DetailedJob;
  }

  cancel(id: string): void {
    const entry = this.#entries.get(id);
    if (!entry || entry.job.outcome) return;
    entry.job = { ...entry.job, isCancelling: true };
    entry.abort.abort();
    // Nobody is there to stop the work and to report its end.
    if (entry.held && !entry.held.isAttended) entry.held.end(entry.held.lost);
    this.#changed(id);
  }

  hold<Kind extends JobKind>(spec: JobSpec<Kind>, lost: JobOutcome): string {
    const { promise, resolve } = Promise.withResolvers<JobOutcome>();
    let held!: Held;
    const { id } = this.run(spec, ({ report, signal }) => {
      held = { isAttended: false, lost, report, end: resolve };
      signal.addEventListener('abort', () => this.#isClosing && resolve(lost), { once: true });
      return promise;
    });
    this.#existing(id).held = held;
    return id;
  }

  attend(id: string, gone: AbortSignal): void {
    const { held, over } = this.#existing(id);
    if (!held) return;
    held.isAttended = !gone.aborted;
    const leave = () => held.end(held.lost);
    gone.addEventListener('abort', leave, { once: true });
    // A page may hold many jobs in its time.
    void over.then(() => gone.removeEventListener('abort', leave));
    if (gone.aborted) leave();
  }

  report(id: string, progress: JobProgress): boolean {
    const { held, job } = this.#entries.get(id) ?? {};
    if (!held || !job || job.outcome) return false;
    if (progress.done !== job.progress.done || progress.words !== job.progress.words) held.report(progress);
    return !job.isCancelling;
  }

  end(id: string, outcome: JobOutcome): void {
    this.#entries.get(id)?.held?.end(outcome);
  }

  over(id: string): Promise<void> {
    return this.#existing(id).over;
  }

  forget(id?: string): void {
    const entry = id !== undefined && this.#entries.get(id);
    if (entry && !entry.job.outcome)
      throw new AppError({ code: 'conflict', message: 'This job is still running' });
    for (const { job } of entry ? [entry] : id === undefined ? [...this.#entries.values()] : [])
      if (job.outcome) this.#drop(job.id);
  }

  /** Lists a job that ended before this start of the app. */
  addEnded<Kind extends JobKind>(
    spec: JobSpec<Kind>,
    known: Pick<Job, 'startedAt' | 'progress'> & { outcome: JobOutcome },
  ): void {
    const entry = this.#add(spec as unknown as JobSpec);
    entry.job = { ...entry.job, ...known, endedAt: known.startedAt };
  }

  run<Kind extends JobKind>(
    spec: JobSpec<Kind>,
    work: (job: RunningJob) => Promise<JobOutcome>,
  ): { id: string; over: Promise<void> } {
    const entry = this.#add(spec as unknown as JobSpec);
    const { id } = entry.job;
    const tell = spaced(() => this.#changed(id), paceMs);
    const job: RunningJob = {
      id,
      signal: entry.abort.signal,
      report: (progress) => {
        entry.job = { ...entry.job, progress };
        tell();
      },
    };
    this.#changed(id);
    entry.over = (async () => work(job))()
      .catch((error: unknown) => this.#failed(error))
      .then((outcome) => {
        if (this.#isClosing) return;
        entry.job = { ...entry.job, outcome, isCancelling: false, endedAt: new Date().toISOString() };
        this.#dropOldest();
        this.#changed(id);
      });
    return { id, over: entry.over };
  }

  /** Ends all work. Waits until it has ended. */
  async close(): Promise<void> {
    this.#isClosing = true;
    for (const { abort } of this.#entries.values()) abort.abort();
    await Promise.all(Array.from(this.#entries.values(), ({ over }) => over));
  }

  get isClosing(): boolean {
    return this.#isClosing;
  }

  #add(spec: JobSpec): Entry {
    const { kind, title, connectionId, table } = spec;
    const id = spec.id ?? randomUUID();
    const job: Job = {
      ...{ id, kind, title },
      ...(connectionId !== undefined && { connectionId }),
      ...(table !== undefined && { table }),
      ...{ startedAt: new Date().toISOString(), endedAt: null },
      ...{ progress: { done: 0, total: null, words: '' }, isCancelling: false, outcome: null },
    };
    const entry = { job, spec, abort: new AbortController(), over: Promise.resolve() };
    // A job that continues is listed again, as the newest.
    this.#entries.delete(id);
    this.#entries.set(id, entry);
    return entry;
  }

  #failed(error: unknown): JobOutcome {
    if (!isAppError(error)) {
      this.#parts.log.error({ error }, 'A job failed');
      const internal = { code: 'internal', message: 'Trestle failed; its log says how' } as const;
      return { how: 'failed', words: internal.message, error: internal };
    }
    if (error.code === 'cancelled') return { how: 'cancelled', words: 'Cancelled' };
    return { how: 'failed', words: error.message, error: appErrorDetails(error) };
  }

  #dropOldest(): void {
    const ended = [...this.#entries.values()].filter(({ job }) => job.outcome);
    // A copy that can continue must not be forgotten for fifty jobs that nobody needs any more.
    const dispensable = ended.filter(({ job }) => job.outcome?.how === 'complete');
    const others = ended.filter((entry) => !dispensable.includes(entry));
    const tooMany = Math.max(0, ended.length - keptEnded);
    for (const { job } of [...dispensable, ...others].slice(0, tooMany)) this.#drop(job.id);
  }

  #existing(id: string): Entry {
    const entry = this.#entries.get(id);
    if (!entry) throw new AppError({ code: 'not_found', message: 'There is no such job' });
    return entry;
  }

  #drop(id: string): void {
    const entry = this.#entries.get(id);
    this.#entries.delete(id);
    entry?.spec.onForget?.();
    this.#changed(id);
  }

  #changed(id: string): void {
    if (!this.#isClosing) this.#parts.events.emit({ type: 'jobChanged', id });
  }
}
