import { type Effect, lowest, type RunOutcome, type RunResult } from '@trestle/driver-kit';
import type { Caller, Data, DataAccess, QueryOutcome } from '../types.ts';
import type { Admitted, CallEnd } from './call-runner.ts';
import type { DataParts } from './data.ts';
import { unanswered } from './unanswered.ts';

/** One statement, of the editor or of a client: the same way, the same gate, the same history. */
export function createRunQuery(parts: DataParts): Data['runQuery'] {
  const runStatement = createRunStatement(parts);
  return (access, { text, limit, ceiling = 'write' }) =>
    runStatement(access, { action: 'query', wants: 'read', text }, async (at) => ({
      limit,
      ceiling: lowest(ceiling, at.ceiling, highest(access.caller)),
    }));
}

interface Statement {
  /** As the activity log names it. */
  action: string;
  wants: Effect;
  text: string;
}

type Prepare = (at: Admitted) => Promise<{ limit: number; ceiling: Effect }>;

/** What every statement has in common; `prepare` runs once it is admitted, and may still refuse it. */
export function createRunStatement({ runner, sessions, settings, history, events }: DataParts) {
  return async (access: DataAccess, statement: Statement, prepare: Prepare): Promise<QueryOutcome> => {
    const { caller, connectionId } = access;
    const { text } = statement;
    let historyId: string | null = null;
    let ceiling: Effect = 'read';
    const onEnd = (end: CallEnd<RunOutcome>) => {
      if (!end.admitted) return;
      if (mayHaveChanged(end, ceiling)) events.emit({ type: 'schemaChanged', connectionId });
      const failure = end.error?.message ?? (end.result && unanswered(end.result));
      historyId = history.record({
        connectionId,
        caller: caller.kind === 'person' ? 'person' : caller.token.name,
        text,
        effect: end.result?.effect ?? end.error?.needs ?? null,
        outcome: end.error?.code === 'cancelled' ? 'cancelled' : failure === null ? 'ok' : 'error',
        error: failure,
        rows: end.rows,
        durationMs: end.durationMs,
      });
    };
    const started = performance.now();
    const timeoutMs = settings.get().statementTimeoutSeconds * 1000;
    const outcome = await runner.run(
      access,
      {
        ...statement,
        timeoutMs,
        rowsOf: resultRows,
        changed: ({ effect }) => effect !== 'read',
        failure: (outcome) => unanswered(outcome),
        onEnd,
      },
      async (at) => {
        at.mask.assertRun();
        const prepared = await prepare(at);
        ceiling = prepared.ceiling;
        const ran = await at.session.use(at.call.signal, (link) =>
          link.session.run({ text, ...prepared, ...at.mask.request }, at.call),
        );
        const redact = sessions.redact(connectionId);
        return at.mask.run({
          ...ran,
          messages: ran.messages.map((message) => ({ ...message, text: redact(message.text) })),
        });
      },
    );
    return { ...outcome, historyId, durationMs: performance.now() - started };
  };
}

/** What a client destroys, the user confirms first; that is another operation than running a statement. */
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
