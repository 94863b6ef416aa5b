import { UnansweredError } from '@trestle/driver-host';
import {
  driverErrorDetails,
  type Effect,
  isDriverError,
  lowest,
  type RunOutcome,
  type RunRequest,
  type RunResult,
  type Written,
} from '@trestle/driver-kit';
import { nothing } from '../access/hourly-budget.ts';
import { AppError } from '../errors.ts';
import { own } from '../own-text.ts';
import type { Caller, Data, DataAccess, HistoryEntry, Hold, QueryOutcome } from '../types.ts';
import type { CallEnd, Operation } from './call.ts';
import type { Admitted } from './call-runner.ts';
import type { DataParts } from './data-parts.ts';
import { onCurrentMask } from './on-current-mask.ts';
import { unanswered } from './unanswered.ts';
import { rowsOfFailure, withinBudget } from './within-budget.ts';

/** Runs one statement of the editor or of a client. Both use the same path, the same gate and the same history. */
export function createRunQuery(parts: DataParts): Data['runQuery'] {
  const runStatement = createRunStatement(parts);
  return (access, { text, limit, ceiling = 'write', reach: given }) => {
    const strongest = lowest(ceiling, highest(access.caller));
    return runStatement(access, { action: 'query', wants: 'read', strongest, text }, async (at) => {
      const reach = at.reach ?? given;
      return { limit, ceiling: lowest(strongest, at.ceiling), ...(reach !== undefined && { reach }) };
    });
  };
}

type Statement = Pick<Operation<RunOutcome>, 'action' | 'wants' | 'strongest'> & { text: string };

/** `again`: the data or the schema has changed since the approval. */
type Prepare = (at: Admitted, options: { again: boolean }) => Promise<Omit<RunRequest, 'text' | 'guarded'>>;

/** The part that all statements share. `prepare` runs after admission and may still refuse the statement. */
export function createRunStatement({ runner, sessions, settings, events }: DataParts) {
  return async (access: DataAccess, statement: Statement, prepare: Prepare): Promise<QueryOutcome> => {
    const { connectionId } = access;
    const { text } = statement;
    let ceiling: Effect = 'read';
    let logged = { historyId: null as string | null, durationMs: 0 };
    const operation: Operation<RunOutcome> = {
      ...statement,
      timeoutMs: settings.get().statementTimeoutSeconds * 1000,
      rowsOf: resultRows,
      changed: ({ effect }) => effect !== 'read',
      failure: (outcome) => unanswered(outcome),
      history: (end) => (end.admitted ? historyEntry(access, text, end) : null),
      onEnd: (end) => {
        logged = end;
        if (end.admitted && mayHaveChanged(end, ceiling))
          events.emit({ type: 'schemaChanged', connectionId });
      },
    };
    const outcome = await runner.run(access, operation, async (at) => {
      at.mask.assertRun();
      let { mask } = at;
      const attempt = async (again: boolean): Promise<RunOutcome> => {
        const prepared = await prepare(at, { again });
        ceiling = prepared.ceiling;
        // The user approves a destructive statement with its rows, so it uses no budget.
        const isCounted = ceiling !== 'read' && prepared.approved === undefined;
        return withinBudget(at, isCounted ? at.budget?.take(firstTaken(at)) : undefined, (hold) =>
          onCurrentMask(at, (now) => {
            mask = now.mask;
            const request = { text, ...prepared, ...mask.changeRequest };
            return now.session.use(now.call.signal, (link) =>
              link.session.run({ ...request, ...(hold && { budget: hold.amount }) }, now.call),
            );
          }).then(
            (ran) => {
              hold?.settle(ran.effect === 'read' ? nothing : (ran.written ?? hold.amount));
              return ran;
            },
            (error: unknown) => {
              if (hold) settleFailure(at, text, { hold, error });
              if (isDriverError(error) && error.code === 'loss_changed') return attempt(true);
              throw ceiling === 'read' ? error : withDoubt(error);
            },
          ),
        );
      };
      const { written: _, sent, ...ran } = await attempt(false);
      const redact = sessions.redact(connectionId);
      const isPerson = access.caller.kind === 'person';
      return mask.run({
        ...ran,
        // Only the window shows it.
        ...(isPerson && sent && { sent }),
        messages: ran.messages.map((message) => ({ ...message, text: redact(message.text) })),
      });
    });
    return { ...outcome, historyId: logged.historyId, durationMs: logged.durationMs };
  };
}

/**
 * The rows that a statement takes before Trestle knows what it does. If it needs more, the driver says so, and the
 * statement runs again.
 */
function firstTaken({ reach = 0 }: Admitted): Written {
  return { changed: reach, inserted: 1_000 };
}

/**
 * A statement without an answer counts as if it had written all its rows, unless it is a read. Its parse says so, which
 * may need a new process of the driver, so the caller does not wait for it.
 */
function settleFailure(at: Admitted, text: string, { hold, error }: { hold: Hold; error: unknown }): void {
  const rows = rowsOfFailure(error);
  if (rows !== 'unsure') {
    hold.settle(rows);
    return;
  }
  const signal = AbortSignal.timeout(classifyMs);
  at.session
    .use(signal, (link) => link.session.classify(text, { signal, timeoutMs: classifyMs }))
    .then(
      ({ effect }) => hold.settle(effect === 'read' ? nothing : hold.amount),
      () => hold.settle(hold.amount),
    );
}

const classifyMs = 30_000;

/**
 * The error of a statement that was allowed to write. If the driver gave no answer, the error's hint also says to check
 * whether the statement was carried out.
 */
function withDoubt(error: unknown): unknown {
  if (!isDriverError(error)) return error;
  const isUnanswered = error instanceof UnansweredError || error.code === 'timeout';
  if (!isUnanswered && error.code !== 'driver_crashed') return error;
  const { hint, ...details } = driverErrorDetails(error);
  const doubt = own`If the statement writes, check whether it was carried out before you run it again.`;
  return new AppError({ ...details, hint: hint === undefined ? doubt : [hint, doubt] });
}

function historyEntry({ caller, connectionId }: DataAccess, text: string, end: CallEnd<RunOutcome>) {
  const failure = end.error?.message ?? (end.result && unanswered(end.result));
  return {
    connectionId,
    caller: caller.kind === 'person' ? 'person' : caller.token.name,
    tokenId: caller.kind === 'person' ? null : caller.token.id,
    text,
    effect: end.result?.effect ?? end.error?.needs ?? null,
    outcome: historyOutcome(end, failure),
    error: failure,
    rows: end.rows,
    durationMs: end.durationMs,
  };
}

function historyOutcome({ error }: CallEnd<RunOutcome>, failure: string | null): HistoryEntry['outcome'] {
  if (error?.code === 'cancelled') return 'cancelled';
  return failure === null ? 'ok' : 'error';
}

/** The highest ceiling of `runQuery`. Clients run destructive statements with `runDestructive`, which asks the user. */
function highest(caller: Caller): Effect {
  return caller.kind === 'person' ? 'destroy' : 'write';
}

const unknownEnds = new Set<string>(['cancelled', 'timeout', 'driver_crashed', 'connection_failed']);

function mayHaveChanged({ result, error }: CallEnd<RunOutcome>, ceiling: Effect): boolean {
  if (result) return result.effect !== 'read';
  return error !== null && ceiling !== 'read' && unknownEnds.has(error.code);
}

function resultRows({ results }: RunOutcome): number | null {
  const counts = results.map(countOf).filter((count) => count !== null);
  return counts.length === 0 ? null : counts.reduce((sum, count) => sum + count, 0);
}

function countOf(result: RunResult): number | null {
  if (result.kind === 'rows') return result.rows.rowCount;
  return result.kind === 'affected' ? result.rows : null;
}
