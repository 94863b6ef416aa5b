import type { Effect } from '@trestle/driver-kit';
import type { AppError } from '../errors.ts';
import type { LogEntry } from '../log-queue/log-entry.ts';
import { type Mask, openMask } from '../masking/mask.ts';
import { cancelledError } from '../translate-error.ts';
import type { DataAccess } from '../types.ts';
import { Stopwatch } from './stopwatch.ts';

/** One way to data: what the log and the access decision must know of it. */
export interface Operation<T> {
  /** As the activity log names it. */
  action: string;
  /** The effect a caller must be allowed to have. */
  wants: Effect;
  /** The gravest effect it may have on top of that. Defaults to `wants`. */
  gravest?: Effect;
  /** Defaults to: no limit. */
  timeoutMs?: number;
  /** A stream that an abort does not cut off: it ends by itself, with what was under way. */
  drains?: boolean;
  table?: string;
  /** A statement: the activity log gets its digest alone. */
  text?: string;
  rowsOf?(result: T): number | null;
  /** Whether it changed anything. Defaults to: an operation that wants to read changed nothing. */
  changed?(result: T): boolean;
  /** Why the log calls a result a failure. Defaults to: it is none. */
  failure?(result: T): string | null;
  /** Its entry in the history. Defaults to: none. */
  history?(end: CallEnd<T>): LogEntry['history'];
  /** Called once, whatever happened, before the caller hears of it. */
  onEnd?(end: LoggedEnd<T>): void;
}

export interface CallEnd<T> {
  /** The access decision let it through. */
  admitted: boolean;
  durationMs: number;
  rows: number | null;
  error: AppError | null;
  result: T | null;
}

export interface LoggedEnd<T> extends CallEnd<T> {
  /** Null where there is no entry, or none yet: the entry of what a client only read follows its answer. */
  historyId: string | null;
}

/** One call while it runs. */
export class Call<T> {
  readonly access: DataAccess;
  readonly operation: Operation<T>;
  readonly watch = new Stopwatch();
  readonly ended = Promise.withResolvers<void>();
  /** Of the entry that says that it was about to change something. */
  intent: number | undefined;
  mask: Mask = openMask;
  admitted = false;
  /** A serial driver is at work on it. Others of its connection wait for their turn. */
  hasTurn = false;
  rows: number | null = null;
  result: T | null = null;
  error: AppError | null = null;
  readonly #controller = new AbortController();
  readonly #onAbort = () => this.#controller.abort();

  constructor(access: DataAccess, operation: Operation<T>) {
    this.access = access;
    this.operation = operation;
    access.signal.addEventListener('abort', this.#onAbort, { once: true });
    if (access.signal.aborted) this.#onAbort();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get tokenId(): string | null {
    const { caller } = this.access;
    return caller.kind === 'client' ? caller.token.id : null;
  }

  /** `reason` is what the caller hears. */
  abort(reason: string): void {
    this.#controller.abort(reason);
  }

  throwIfAborted(): void {
    if (this.signal.aborted) throw cancelledError();
  }

  end(): CallEnd<T> {
    this.access.signal.removeEventListener('abort', this.#onAbort);
    const { admitted, rows, error, result } = this;
    return { admitted, rows, error, result, durationMs: this.watch.ms };
  }
}
