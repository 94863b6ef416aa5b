import { setTimeout as delay } from 'node:timers/promises';
import type { LinkCall, LinkSession } from '@trestle/driver-host';
import { driverErrorDetails, type Effect, type Endpoint, isDriverError, lowest } from '@trestle/driver-kit';
import type { CallSubject, Withdrawn } from '../access/approvals.ts';
import type { CallBudget } from '../access/call-budget.ts';
import type { Gate } from '../access/gate.ts';
import { endsWithin } from '../ends-within.ts';
import { AppError } from '../errors.ts';
import type { LogQueue } from '../log-queue/log-queue.ts';
import type { ClosedColumns, MaskSubject } from '../masking/closed-columns.ts';
import type { Mask } from '../masking/mask.ts';
import { OwnText, own } from '../own-text.ts';
import type { ManagedSession } from '../sessions/managed-session.ts';
import type { SessionPool } from '../sessions/session-pool.ts';
import { cancelledError, toAppError } from '../translate-error.ts';
import type { Caller, DataAccess, SessionStatus } from '../types.ts';
import { Call, type CallEnd, type Operation } from './call.ts';
import { callEntry, unfinishedEntry } from './call-entry.ts';
import { withOutbound } from './outbound-session.ts';

export interface Admitted {
  session: CallSession;
  /** The strongest effect that this caller may have on the connection. */
  ceiling: Effect;
  /** The mask for this caller. */
  mask: Mask;
  /** The number of existing rows that one statement or save may change or delete. Undefined for a person. */
  reach: number | undefined;
  /** The rows that the caller may still write in this hour. Undefined for a person. */
  budget: CallBudget | undefined;
  /** The mask for a table that the operation does not name. */
  maskOfTable(table: string): Promise<Mask>;
  /**
   * The same with a mask that closes more columns, if another program has written the first value of a masked kind into
   * a column meanwhile. Null if the mask is still right.
   */
  renewed(): Promise<Admitted | null>;
  /** The same with the mask that is right now, whether it closes more columns or not. */
  refreshed(): Promise<Admitted>;
  call: LinkCall;
  /** Waits for the user. The wait does not count as the call's time. */
  waitForUser<T>(wait: () => Promise<T>): Promise<T>;
}

type Subject = Pick<MaskSubject, 'table' | 'text' | 'changes'>;

/** A session for one call. Its requests carry the rights of the caller. */
export interface CallSession {
  open(...args: Parameters<ManagedSession['open']>): Promise<unknown>;
  status(): SessionStatus;
  use<T>(signal: AbortSignal, work: (link: { session: LinkSession }) => Promise<T>): Promise<T>;
  stream<T>(
    signal: AbortSignal,
    work: (link: { session: LinkSession }) => AsyncIterable<T>,
  ): AsyncGenerator<T, void>;
}

interface Parts {
  gate: Gate;
  sessions: SessionPool;
  log: Pick<LogQueue, 'begin' | 'assertWritable' | 'write' | 'writeSoon'>;
  maskOf(caller: Caller, connectionId: string): Mask;
  reachOf(caller: Caller, connectionId: string): number | undefined;
  budgetOf(access: DataAccess, subject: CallSubject): CallBudget | undefined;
  closed: ClosedColumns;
  /** The addresses that the user approved for stored keys of the connection. */
  endpoints(connectionId: string): Endpoint[];
}

/**
 * Runs every call to data: decides access, logs a client's intent to write, calls the driver in its session, translates
 * an error once, and logs the end.
 */
export class CallRunner {
  readonly #parts: Parts;
  readonly #running = new Set<Call<never>>();
  #stopping = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async run<T>(access: DataAccess, operation: Operation<T>, work: (at: Admitted) => Promise<T>): Promise<T> {
    const call = this.#begin(access, operation);
    try {
      const result = await this.#upToDate(call, await this.#admit(call), work);
      call.result = result;
      call.rows = operation.rowsOf?.(result) ?? null;
      return result;
    } catch (error) {
      throw this.#fail(call, error);
    } finally {
      this.#end(call);
    }
  }

  async *stream<T>(
    access: DataAccess,
    operation: Operation<T>,
    work: (at: Admitted) => AsyncIterable<T>,
  ): AsyncGenerator<T, void> {
    const call = this.#begin(access, operation);
    try {
      const source = await this.#startUpToDate(call, await this.#admit(call), work);
      // The consumer may never ask for the next batch. An abort must end the call even then.
      const giveUp = () => {
        this.#fail(call, cancelledError());
        this.#end(call);
        source.return?.().catch(() => {});
      };
      call.rows = 0;
      for await (const batch of { [Symbol.asyncIterator]: () => source }) {
        call.rows += operation.rowsOf?.(batch) ?? 0;
        if (operation.drains) {
          yield batch;
          continue;
        }
        call.throwIfAborted();
        call.signal.addEventListener('abort', giveUp, { once: true });
        try {
          yield batch;
        } finally {
          call.signal.removeEventListener('abort', giveUp);
        }
        call.throwIfAborted();
      }
    } catch (error) {
      throw this.#fail(call, error);
    } finally {
      this.#end(call);
    }
  }

  /**
   * Runs `work`. If a masked kind of value came into an open column meanwhile, a read runs again with that column closed.
   * A statement that failed does not run again, because it might write. Its error could reveal the new value, so the
   * caller gets another error.
   */
  async #upToDate<T>(call: Call<T>, given: Admitted, work: (at: Admitted) => Promise<T>): Promise<T> {
    if (call.operation.wants !== 'read') return work(given);
    for (let at = given; ; ) {
      const ran = await work(at).then(
        (result) => ({ result }),
        (error: unknown) => ({ error }),
      );
      if ('error' in ran) {
        if (revealsNoValue(ran.error) || !(await at.renewed())) throw ran.error;
        throw changedMeanwhile();
      }
      const again = call.operation.changed?.(ran.result) ? null : await at.renewed();
      if (!again) return ran.result;
      at = again;
    }
  }

  /** Starts a stream. Its first item is read before the mask is checked, so the mask is right for what the stream reads. */
  async #startUpToDate<T>(
    call: Call<T>,
    given: Admitted,
    work: (at: Admitted) => AsyncIterable<T>,
  ): Promise<AsyncIterator<T>> {
    const source = work(given)[Symbol.asyncIterator]();
    if (call.operation.wants !== 'read' || given.mask.masking.patterns.length === 0) return source;
    const first = await source.next();
    const again = await given.renewed();
    if (!again) return startingWith(first, source);
    await source.return?.();
    return this.#startUpToDate(call, again, work);
  }

  /** Ends all calls of a token that was revoked or deleted. */
  cancelToken(tokenId: string, reason: OwnText): void {
    for (const call of this.#running) if (call.tokenId === tokenId) call.abort(reason);
  }

  /** Ends the running calls of clients on a connection, but not calls that wait for the access decision. */
  cancelClients(connectionId: string, reason: OwnText): void {
    for (const call of this.#ofClients(connectionId)) call.abort(reason);
  }

  /** Ends the client calls that a serial driver is working on, but not waiting calls. False if no call was ended. */
  async cancelClientsAtWork(connectionId: string, reason: OwnText): Promise<boolean> {
    const atWork = this.#ofClients(connectionId).filter(({ hasTurn }) => hasTurn);
    for (const call of atWork) call.abort(reason);
    await endsWithin(Promise.all(atWork.map(({ ended }) => ended.promise)), lettingGoMs);
    return atWork.length > 0;
  }

  /** Ends all calls of one client on a connection, also those that wait for the access decision. */
  cancelClient({ connectionId, isCaller }: Withdrawn, reason: OwnText): void {
    for (const call of this.#running) {
      const { access } = call;
      if (access.connectionId === connectionId && isCaller(access.caller)) call.abort(reason);
    }
  }

  #ofClients(connectionId: string): Call<never>[] {
    return [...this.#running].filter(
      (call) => call.admitted && call.tokenId !== null && call.access.connectionId === connectionId,
    );
  }

  async close(): Promise<void> {
    this.#stopping = true;
    const running = [...this.#running];
    for (const call of running) call.abort(stopping);
    const over = Promise.all(running.map(({ ended }) => ended.promise));
    const draining = running.filter(({ operation }) => operation.drains);
    if (draining.length > 0) {
      await Promise.race([over, delay(drainMs, undefined, { ref: false })]);
      for (const { access } of draining) void this.#parts.sessions.close(access.connectionId);
    }
    await over;
  }

  #begin<T>(access: DataAccess, operation: Operation<T>): Call<T> {
    const call = new Call(access, operation);
    this.#running.add(call as Call<never>);
    if (this.#stopping) call.abort(stopping);
    return call;
  }

  async #admit<T>(call: Call<T>): Promise<Admitted> {
    const { sessions, maskOf, reachOf, budgetOf, closed } = this.#parts;
    const { caller, connectionId } = call.access;
    const { table, text, changes } = call.operation;
    call.throwIfAborted();
    const ceiling = await this.#decide(call);
    call.admitted = true;
    this.#announce(call, ceiling);
    const timeoutMs = call.access.timeoutMs ?? call.operation.timeoutMs;
    const options = {
      signal: call.signal,
      ...(timeoutMs !== undefined && { timeoutMs }),
      onTurn: (isMine: boolean) => {
        call.hasTurn = isMine;
      },
    };
    const held = sessions.get(connectionId, caller.kind);
    const maskOfAll = maskOf(caller, connectionId);
    call.mask = maskOfAll;
    const about = (subject: Subject) => ({ connectionId, session: held, call: options, ...subject });
    const maskOn = async (subject: Subject) =>
      maskOfAll.with(await closed.find(maskOfAll.masking, about(subject)));
    const budget = budgetOf(call.access, subjectOf(call.operation));
    const admitted = (mask: Mask): Admitted => {
      call.mask = mask;
      const maskNow = async () => {
        if (mask.hasFoundKind) closed.forget(connectionId);
        const { closed: found, marks } = await closed.find(
          maskOfAll.masking,
          about({ table, text, changes }),
        );
        return {
          isRight: mask.closes(found),
          now: maskOfAll.with({ closed: [...mask.closed, ...found], marks }),
        };
      };
      return {
        session: this.#bound(held, call),
        ceiling,
        mask,
        reach: reachOf(caller, connectionId),
        budget,
        maskOfTable: (name) => maskOn({ table: name }),
        renewed: async () => {
          if (mask.masking.patterns.length === 0) return null;
          const { isRight, now } = await maskNow();
          return isRight ? null : admitted(now);
        },
        refreshed: async () => admitted((await maskNow()).now),
        call: options,
        waitForUser: (wait) => call.watch.leaveOut(wait),
      };
    };
    return admitted(await maskOn({ table, text, changes }));
  }

  /** The session, with the user's word on where the database may send stored keys for this call. */
  #bound<T>(held: ManagedSession, { access, signal, watch }: Call<T>): CallSession {
    const { gate, endpoints } = this.#parts;
    const { caller, connectionId, isProgram = false } = access;
    const isUser = caller.kind === 'person' && !isProgram;
    const bind = (session: LinkSession) =>
      withOutbound(session, {
        current: () => (isUser ? 'user' : endpoints(connectionId)),
        ask: (need) => watch.leaveOut(() => gate.approveEndpoints(access, need, signal)),
      });
    return {
      open: (at, options) => held.open(at, options),
      status: () => held.status,
      use: (at, work) => held.use(at, ({ session }) => work({ session: bind(session) })),
      stream: (at, work) => held.stream(at, ({ session }) => work({ session: bind(session) })),
    };
  }

  #decide<T>({ access, operation, signal, watch }: Call<T>): Promise<Effect> {
    const { caller, connectionId } = access;
    const { wants: wanted } = operation;
    const subject = subjectOf(operation);
    const request = access.signal;
    return watch.leaveOut(() =>
      this.#parts.gate.admit({ caller, connectionId, wanted, subject, signal, request }),
    );
  }

  /** Refuses a client's call that cannot be logged, before it runs. A call that may write is logged first. */
  #announce<T>(call: Call<T>, ceiling: Effect): void {
    const { log } = this.#parts;
    if (call.access.caller.kind === 'person') return;
    const { wants, strongest = wants } = call.operation;
    if (lowest(strongest, ceiling) === 'read') log.assertWritable();
    else call.intent = log.begin(unfinishedEntry(call));
  }

  #fail<T>(call: Call<T>, error: unknown): AppError {
    call.error ??= this.#translate(call, error);
    return call.error;
  }

  #end<T>(call: Call<T>): void {
    if (!this.#running.delete(call as Call<never>)) return;
    const end = call.end();
    const historyId = this.#record(call, end);
    call.operation.onEnd?.({ ...end, historyId });
    call.ended.resolve();
  }

  #record<T>(call: Call<T>, end: CallEnd<T>): string | null {
    const { log } = this.#parts;
    const entry = callEntry(call, end);
    if (!entry.activity && !entry.history) return null;
    if (call.tokenId === null || !onlyRead(call.operation, end)) return log.write(entry);
    log.writeSoon(entry);
    return null;
  }

  #translate<T>({ access, signal, mask }: Call<T>, error: unknown): AppError {
    const { gate, sessions } = this.#parts;
    const { caller, connectionId } = access;
    const redacted = toAppError(error, sessions.redact(connectionId));
    const failure = redacted.withForeign((text) => mask.sentence(text));
    if (signal.aborted && OwnText.is(signal.reason)) return cancelledError(signal.reason);
    if (failure.code !== 'above_ceiling' || !failure.needs) return failure;
    // The driver knows which effect the statement needs. The gate knows why this caller may not have it.
    const refusal = gate.refusal(access, failure.needs);
    if (refusal) {
      const { message, hints: hint } = refusal.said;
      const quoted = failure.needs === 'destroy' ? failure.message : undefined;
      return new AppError({ code: refusal.code, message, hint, needs: failure.needs, quoted });
    }
    if (caller.kind === 'person') return failure;
    const { message } = failure.said;
    const hint = own`A destructive statement of an external client runs only after the user confirms it in the app.`;
    return new AppError({ code: failure.code, message, hint, needs: failure.needs });
  }
}

function subjectOf<T>({ action, table, text }: Operation<T>): CallSubject {
  return { action, ...(table !== undefined && { table }), ...(text !== undefined && { text }) };
}

const stopping = own`The app is stopping`;

/** Whether the call got no answer, or the driver refused it before it read a value. */
function revealsNoValue(error: unknown): boolean {
  return isDriverError(error) && withoutValues.has(driverErrorDetails(error).code);
}

const withoutValues = new Set<string>([
  'cancelled',
  'timeout',
  'driver_crashed',
  'connection_failed',
  'refused',
]);

function changedMeanwhile(): AppError {
  return new AppError({
    code: 'query_failed',
    message: 'Another program changed the data while the statement ran, and the statement failed',
    hint: 'Run the statement again.',
  });
}

async function* startingWith<T>(first: IteratorResult<T>, rest: AsyncIterator<T>): AsyncGenerator<T, void> {
  try {
    for (let item = first; !item.done; item = await rest.next()) yield item.value;
  } finally {
    await rest.return?.();
  }
}

/**
 * The longest time that the user's call waits for the cancelled calls of clients to end. Longer than the two seconds
 * that a cancelled save of a serial driver has to report its rows.
 */
const lettingGoMs = 5_000;

/** How long a stopping app waits for the answers to rows that were sent. */
const drainMs = 500;

/**
 * Whether a call with `wants: 'read'` succeeded and changed nothing. Any other call is logged before the client gets its
 * answer. False for a stream, because its call has no `result`.
 */
function onlyRead<T>({ wants, changed }: Operation<T>, { error, result }: CallEnd<T>): boolean {
  return wants === 'read' && error === null && result !== null && !changed?.(result);
}
