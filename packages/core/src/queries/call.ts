import type { Change, Effect } from '@trestle/driver-kit';
import type { AppError } from '../errors.ts';
import type { LogEntry } from '../log-queue/log-entry.ts';
import { type Mask, openMask } from '../masking/mask.ts';
import type { OwnText } from '../own-text.ts';
import { cancelledError } from '../translate-error.ts';
import type { DataAccess } from '../types.ts';
import { Stopwatch } from './stopwatch.ts';

/** An operation on data: the facts that the log and the access decision need. */
export interface Operation<T> {
  /** The name in the activity log. */
  action: string;
  /** The effect that the caller must be allowed to have. */
  wants: Effect;
  /** The strongest effect that the operation may have. Defaults to `wants`. */
  strongest?: Effect;
  /** Defaults to: no limit. */
  timeoutMs?: number;
  /** A stream that ends by itself after an abort, so that running changes still get their outcome. */
  drains?: boolean;
  table?: string;
  /** Changes of the table. Their triggers may read other tables. */
  changes?: readonly Change[];
  /** The statement. The activity log stores only its digest. */
  text?: string;
  rowsOf?(result: T): number | null;
  /** Whether an operation with `wants: 'read'` changed something after all. Defaults to: no. */
  changed?(result: T): boolean;
  /** Why the log treats a result as a failure. Defaults to: it is a success. */
  failure?(result: T): string | null;
  /** The entry in the history. Defaults to: none. */
  history?(end: CallEnd<T>): LogEntry['history'];
  /** Called exactly once, before the caller learns that the call ended. */
  onEnd?(end: LoggedEnd<T>): void;
}

export interface CallEnd<T> {
  /** The access decision allowed the call. */
  admitted: boolean;
  durationMs: number;
  rows: number | null;
  error: AppError | null;
  result: T | null;
}

interface LoggedEnd<T> extends CallEnd<T> {
  /** Null if there is no history entry, or not yet: the entry of a client's read is written after its answer. */
  historyId: string | null;
}

/** One call while it runs. */
export class Call<T> {
  readonly access: DataAccess;
  readonly operation: Operation<T>;
  readonly watch = new Stopwatch();
  readonly ended = Promise.withResolvers<void>();
  /** For a client's call that may change data: the id of the log entry that is written before the call. */
  intent: number | undefined;
  mask: Mask = openMask;
  admitted = false;
  /** True while a serial driver works on this call. With a parallel driver: true during a save or an import. */
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

  /** `reason`: the message of the error that the caller gets. */
  abort(reason: OwnText): void {
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
