import type { AppErrorDetails } from '../errors.ts';
import type { ActDetail } from './acts.ts';
import type { CopyDetail } from './copies.ts';
import type { InstallDetail } from './drivers.ts';
import type { ImportDetail } from './imports.ts';

/** The state that only the own place of a kind of job shows. `command`: an import or export of the command line. */
export interface JobDetails {
  copy: CopyDetail;
  import: ImportDetail;
  export: null;
  install: InstallDetail;
  command: null;
  map: null;
  neighbours: null;
  judging: null;
  act: ActDetail;
}

export type JobKind = keyof JobDetails;

export interface JobProgress {
  done: number;
  /** Null: not known. */
  total: number | null;
  words: string;
}

/** `unknown`: nobody knows whether everything was done. For example, rows were sent and never answered. */
export type JobEnd = 'complete' | 'cancelled' | 'failed' | 'unknown';

export interface JobOutcome {
  how: JobEnd;
  words: string;
  error?: AppErrorDetails;
  /** The user can continue the job where it stopped. */
  canContinue?: boolean;
  /** The rows in the file of failed rows, which the user can download. */
  failedRows?: number;
}

/** Work that takes longer than a request. It runs in the app, and a window shows it. */
export interface Job {
  id: string;
  kind: JobKind;
  title: string;
  /** The connection and the table that the job reads or makes. */
  connectionId?: string;
  table?: string;
  startedAt: string;
  endedAt: string | null;
  progress: JobProgress;
  isCancelling: boolean;
  /** Null while the job runs. */
  outcome: JobOutcome | null;
}

/** A job with the detail of its kind. */
export type DetailedJob<Kind extends JobKind = JobKind> = Kind extends JobKind
  ? Job & { kind: Kind; detail: JobDetails[Kind] }
  : never;

export interface JobSpec<Kind extends JobKind = JobKind>
  extends Pick<Job, 'title' | 'connectionId' | 'table'> {
  kind: Kind;
  /** For a job that has an id in its own journal. */
  id?: string;
  /** Called for each reader, so that a job stores no history of its progress. */
  detail(): JobDetails[Kind];
  /** The user has dismissed the job, or there are too many ended ones. */
  onForget?(): void;
}

/** The job for the code that does its work. */
export interface RunningJob {
  readonly id: string;
  readonly signal: AbortSignal;
  report(progress: JobProgress): void;
}

/**
 * All jobs: those that run, and those that ended and were not dismissed. An event says that a job changed, and a
 * window asks for its state. So no progress waits for a slow window.
 */
export interface Jobs {
  /** Newest first. */
  list(): Job[];
  /** Throws if there is no such job. */
  get(id: string): DetailedJob;
  /** Changes that were sent already may still take effect. */
  cancel(id: string): void;
  /**
   * Starts `work`. What it returns or throws is the job's outcome. `over` resolves when the outcome is stored. When the
   * app stops, `work` is aborted, and its outcome is not stored.
   */
  run<Kind extends JobKind>(
    spec: JobSpec<Kind>,
    work: (job: RunningJob) => Promise<JobOutcome>,
  ): { id: string; over: Promise<void> };
  /**
   * Lists work that a window or a command does. It reports the progress, and in the end the outcome. `lost` is the
   * outcome if it is gone before that.
   */
  hold<Kind extends JobKind>(spec: JobSpec<Kind>, lost: JobOutcome): string;
  /** The window or the command exists until `gone` aborts. */
  attend(id: string, gone: AbortSignal): void;
  /** Reports the progress of a held job. Returns false if it must stop: it was cancelled, or is over. */
  report(id: string, progress: JobProgress): boolean;
  /** Ends a held job. */
  end(id: string, outcome: JobOutcome): void;
  /** Resolves when the job is over. Throws if there is no such job. */
  over(id: string): Promise<void>;
  /** Dismisses jobs that have ended. Without an id: all of them. */
  forget(id?: string): void;
}
