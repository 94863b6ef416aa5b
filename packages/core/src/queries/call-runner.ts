import { createHash } from 'node:crypto';
import type { Effect } from '@trestle/driver-kit';
import type { Logger } from 'pino';
import type { Gate } from '../access/gate.ts';
import { AppError, appErrorDetails } from '../errors.ts';
import type { FoundColumns } from '../masking/found-columns.ts';
import { type Mask, openMask } from '../masking/mask.ts';
import type { ManagedSession } from '../sessions/managed-session.ts';
import type { SessionPool } from '../sessions/session-pool.ts';
import type { Activity, ActivityEntry, Caller, DataAccess } from '../types.ts';
import { cancelledError, toAppError } from './translate-error.ts';

export interface Operation<T> {
  /** As the activity log names it. */
  action: string;
  wants: Effect;
  /** Absent: the driver's process has all the time it wants. */
  timeoutMs?: number;
  table?: string;
  /** A statement: logged by its digest alone. */
  text?: string;
  rowsOf?(result: T): number | null;
  /** Whether it changed anything; absent, what wants no more than to read changes nothing. */
  changed?(result: T): boolean;
  /** What the log says of a result that is none. */
  failure?(result: T): string | null;
  /** Called once, whatever happened; for a client that only read, when its answer is on its way. */
  onEnd?(end: CallEnd<T>): void;
}

export interface CallEnd<T> {
  /** The access decision let it through. */
  admitted: boolean;
  durationMs: number;
  rows: number | null;
  error: AppError | null;
  result: T | null;
}

export interface Admitted {
  session: ManagedSession;
  /** The gravest effect this caller may have here. */
  ceiling: Effect;
  /** What this caller does not get to see here. */
  mask: Mask;
  /** The same for a table that the operation does not name. */
  maskOfTable(table: string): Promise<Mask>;
  call: { signal: AbortSignal; timeoutMs?: number };
}

interface Running {
  controller: AbortController;
  tokenId: string | null;
  connectionId: string;
  /** The access decision let it through. */
  admitted: boolean;
  ended: Promise<void>;
}

interface Parts {
  gate: Gate;
  sessions: SessionPool;
  activity: Pick<Activity, 'record'>;
  /** Once the event loop is free. */
  later(work: () => void): void;
  maskOf(caller: Caller, connectionId: string): Mask;
  found: FoundColumns;
  log: Logger;
}

/** Every call to data runs here: decision, session, driver, one log entry, one translation of its error. */
export class CallRunner {
  readonly #parts: Parts;
  readonly #running = new Set<Running>();
  #stopping = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async run<T>(access: DataAccess, operation: Operation<T>, work: (at: Admitted) => Promise<T>): Promise<T> {
    const call = this.#begin(access, operation);
    try {
      const result = await work(await call.admit());
      call.succeeded(result, operation.rowsOf?.(result) ?? null);
      return result;
    } catch (error) {
      throw call.failed(error);
    } finally {
      call.end();
    }
  }

  async *stream<T>(
    access: DataAccess,
    operation: Operation<T>,
    work: (at: Admitted) => AsyncIterable<T>,
  ): AsyncGenerator<T, void> {
    const call = this.#begin(access, operation);
    let rows = 0;
    try {
      for await (const batch of work(await call.admit())) {
        rows += operation.rowsOf?.(batch) ?? 0;
        call.succeeded(null, rows);
        yield batch;
      }
      call.succeeded(null, rows);
    } catch (error) {
      throw call.failed(error);
    } finally {
      call.end();
    }
  }

  /** Ends what a revoked token has in flight. */
  cancelToken(tokenId: string): void {
    for (const running of this.#running) {
      if (running.tokenId === tokenId) running.controller.abort('The token was revoked');
    }
  }

  /** Ends what clients were admitted to before a connection's levels or masking changed. */
  cancelClients(connectionId: string): void {
    for (const running of this.#running) {
      if (running.admitted && running.tokenId !== null && running.connectionId === connectionId) {
        running.controller.abort('The access of external clients to this connection was changed');
      }
    }
  }

  async close(): Promise<void> {
    this.#stopping = true;
    const running = [...this.#running];
    for (const { controller } of running) controller.abort(stopping);
    await Promise.all(running.map(({ ended }) => ended));
  }

  #begin<T>(access: DataAccess, operation: Operation<T>) {
    const { gate, sessions, activity, later, maskOf, found, log } = this.#parts;
    const { caller, connectionId } = access;
    const started = performance.now();
    const controller = new AbortController();
    const ended = Promise.withResolvers<void>();
    const running: Running = {
      controller,
      tokenId: caller.kind === 'client' ? caller.token.id : null,
      connectionId,
      admitted: false,
      ended: ended.promise,
    };
    const onAbort = () => controller.abort();
    let mask = openMask;
    const state: Omit<CallEnd<T>, 'durationMs'> = { admitted: false, rows: null, error: null, result: null };
    this.#running.add(running);
    access.signal.addEventListener('abort', onAbort, { once: true });
    if (access.signal.aborted) onAbort();
    if (this.#stopping) controller.abort(stopping);

    return {
      admit: async (): Promise<Admitted> => {
        if (controller.signal.aborted) throw cancelledError();
        const { signal } = controller;
        const { action, wants: wanted, table, text } = operation;
        const subject = {
          action,
          ...(table !== undefined && { table }),
          ...(text !== undefined && { text }),
        };
        const ceiling = await gate.admit({ caller, connectionId, wanted, subject, signal });
        state.admitted = true;
        running.admitted = true;
        mask = maskOf(caller, connectionId);
        const timeoutMs = access.timeoutMs ?? operation.timeoutMs;
        const call = { signal, ...(timeoutMs !== undefined && { timeoutMs }) };
        const session = sessions.get(connectionId);
        const maskOfAll = mask;
        const maskOn = async (subject: { table?: string | undefined; text?: string | undefined }) =>
          maskOfAll.with(await found.find(maskOfAll.patterns, { connectionId, session, call, ...subject }));
        mask = await maskOn({ table, text });
        return { session, ceiling, mask, maskOfTable: (name) => maskOn({ table: name }), call };
      },
      succeeded: (result: T | null, rows: number | null) => {
        state.result = result;
        state.rows = rows;
      },
      failed: (error: unknown): AppError => {
        state.error = this.#translate(error, access, controller.signal, mask);
        return state.error;
      },
      end: () => {
        access.signal.removeEventListener('abort', onAbort);
        this.#running.delete(running);
        const end = { ...state, durationMs: performance.now() - started };
        const record = () => {
          try {
            if (caller.kind === 'client') activity.record(activityEntry(access, operation, end));
            operation.onEnd?.(end);
          } catch (error) {
            // The work is done and cannot be undone: its answer must not turn into a failure here.
            log.error({ problem: String(error) }, 'A call could not be logged');
          }
        };
        if (caller.kind === 'client' && onlyRead(operation, end)) later(record);
        else record();
        ended.resolve();
      },
    };
  }

  #translate(
    error: unknown,
    { caller, connectionId }: DataAccess,
    signal: AbortSignal,
    mask: Mask,
  ): AppError {
    const { gate, sessions } = this.#parts;
    const redacted = toAppError(error, sessions.redact(connectionId));
    const failure = new AppError(mask.details(appErrorDetails(redacted)));
    if (signal.aborted && typeof signal.reason === 'string') return cancelledError(signal.reason);
    if (failure.code !== 'above_ceiling' || !failure.needs) return failure;
    // The driver knows what the statement needs; the decision knows why this caller may not.
    const refusal = gate.refusal(caller, connectionId, failure.needs);
    if (refusal) return new AppError({ ...appErrorDetails(refusal), needs: failure.needs });
    if (caller.kind === 'person') return failure;
    return new AppError({
      ...appErrorDetails(failure),
      hint: 'A destructive statement of an external client runs only after the user confirms it in the app.',
    });
  }
}

/** What changed something, or failed, or was refused, is written down before the client hears of it. */
function onlyRead<T>({ wants, changed }: Operation<T>, { error, result }: CallEnd<T>): boolean {
  return wants === 'read' && error === null && result !== null && !changed?.(result);
}

function activityEntry<T>(
  { caller, connectionId }: DataAccess,
  operation: Operation<T>,
  end: CallEnd<T>,
): Omit<ActivityEntry, 'id' | 'at'> {
  const failure = end.result === null ? null : (operation.failure?.(end.result) ?? null);
  return {
    action: operation.action,
    tokenName: caller.kind === 'client' ? caller.token.name : null,
    clientName: caller.kind === 'client' ? caller.clientName : null,
    connectionId,
    outcome: failure === null ? outcomeOf(end.error) : 'error',
    detail: end.error?.message ?? failure ?? operation.table ?? null,
    durationMs: end.durationMs,
    rows: end.rows,
    digest: operation.text === undefined ? null : createHash('sha256').update(operation.text).digest('hex'),
  };
}

const stopping = 'The app is stopping';
const denials = new Set<string>(['forbidden', 'read_only', 'not_approved', 'above_ceiling', 'refused']);

function outcomeOf(error: AppError | null): ActivityEntry['outcome'] {
  if (!error) return 'ok';
  if (error.code === 'cancelled') return 'cancelled';
  return denials.has(error.code) ? 'denied' : 'error';
}
