import type { LinkSession } from '@trestle/driver-host';
import {
  amount,
  type Change,
  type ChangeOutcome,
  type ChangeSet,
  type DriverErrorDetails,
  type SaveReport,
} from '@trestle/driver-kit';
import { savedWithin } from '../access/saved-within.ts';
import { appErrorDetails } from '../errors.ts';
import { spaced } from '../events/spaced.ts';
import type { LogEntry } from '../log-queue/log-entry.ts';
import { toAppError } from '../translate-error.ts';
import type { Data, DataAccess } from '../types.ts';
import { assertFewRows } from './assert-few-rows.ts';
import type { CallEnd, Operation } from './call.ts';
import { requireMethod } from './capabilities.ts';
import type { DataParts } from './data-parts.ts';
import { streamOnCurrentMask } from './on-current-mask.ts';
import { presentOutcome } from './present-outcome.ts';
import { neverAnswered, settleChanges, unknownOutcome, withChosenKey } from './settle-changes.ts';

/**
 * Creates `data.applyChanges` or `data.importRows`: a save or an import as a stream of reports. The statement timeout
 * applies to one row, or to one batch of an import.
 */
export function createApplyChanges(
  { runner, sessions, settings, events }: DataParts,
  action: 'applyChanges' | 'importRows',
): Data['applyChanges'] {
  const importedInto = new Map<string, () => void>();
  /** Emits `rowsChanged`: for a save at once, for an import at intervals, since it has many batches. */
  const tell = (connectionId: string, table: string) => {
    const report = () => events.emit({ type: 'rowsChanged', connectionId, table });
    if (action === 'applyChanges') return report();
    const place = JSON.stringify([connectionId, table]);
    importedInto.getOrInsert(place, spaced(report))();
  };
  return (access, changes) => {
    const { connectionId } = access;
    let touched = false;
    let unsaved = 0;
    const operation: Operation<SaveReport> = {
      action,
      wants: 'write',
      drains: true,
      table: changes.table,
      changes: changes.changes,
      rowsOf: ({ outcomes }) => outcomes.filter(({ status }) => status === 'applied').length,
      history: (end) => (end.admitted ? historyEntry(access, changes, { ...end, unsaved }) : null),
      onEnd: () => {
        if (touched) tell(connectionId, changes.table);
      },
    };
    return runner.stream(access, operation, async function* (at) {
      const { session, call, reach } = at;
      let { mask } = at;
      mask.assertChanges(changes);
      assertFewRows(changes, reach);
      const rowTimeoutMs = access.timeoutMs ?? settings.get().statementTimeoutSeconds * 1000;
      const reports = savedWithin(at, changes.changes, (budget) =>
        streamOnCurrentMask(at, (now) => {
          mask = now.mask;
          mask.assertChanges(changes);
          return now.session.stream(call.signal, ({ session: driver }) =>
            send(driver, action)(
              {
                ...changes,
                rowTimeoutMs,
                ...mask.changeRequest,
                ...(reach !== undefined && { reach }),
                ...(budget && { budget }),
              },
              call,
            ),
          );
        }),
      );
      const settle: Settle = async (sent, lost) => {
        const unknown = () => sent.map((change) => unknownOutcome(change, lost));
        // A cancelled save does not ask the driver about its sent rows. Nor does one under a mask: the driver compares
        // the rows with the given values, and the outcome would tell whether the caller guessed a masked one.
        if (call.signal.aborted || !mask.isIdle) return unknown();
        const timed = { ...call, timeoutMs: rowTimeoutMs };
        return session
          .use(call.signal, ({ session: driver }) =>
            settleChanges(driver, { ...changes, changes: sent, recent: true }, { call: timed, lost }),
          )
          .catch(unknown);
      };
      for await (const report of complete(reports, changes, settle)) {
        // The secrets are known only after the session is open.
        const redact = sessions.redact(connectionId);
        // After a conflict, the windows show old values of this row.
        unsaved += report.outcomes.filter(({ status }) => status !== 'applied').length;
        touched ||= report.outcomes.some(({ status }) => status !== 'failed' && status !== 'skipped');
        yield {
          ...report,
          outcomes: report.outcomes.map((one) => presentOutcome(one, { table: changes.table, mask, redact })),
        };
      }
    });
  };
}

/** The user knows their own saves. The changes of a client stand beside its statements. */
function historyEntry(
  { caller, connectionId }: DataAccess,
  { table, changes }: ChangeSet,
  { error, rows, durationMs, unsaved }: CallEnd<SaveReport> & { unsaved: number },
): LogEntry['history'] | null {
  if (caller.kind !== 'client') return null;
  const kinds = Array.from(
    Map.groupBy(changes, ({ kind }) => kind),
    ([kind, all]) => `${kind} ${amount(all.length, 'row')}`,
  );
  const failure = error?.message ?? (unsaved > 0 ? `${amount(unsaved, 'row')} not saved` : null);
  return {
    connectionId,
    caller: caller.token.name,
    tokenId: caller.token.id,
    text: `${kinds.join(', ')}: ${table}`,
    effect: 'write',
    outcome: error?.code === 'cancelled' ? 'cancelled' : failure === null ? 'ok' : 'error',
    error: failure,
    rows,
    durationMs,
  };
}

/** The driver's method for the action. If the driver has no `importRows`, an import uses `applyChanges`. */
function send(driver: LinkSession, action: 'applyChanges' | 'importRows'): LinkSession['applyChanges'] & {} {
  const { importRows } = driver;
  if (action === 'applyChanges' || !importRows) return requireMethod(driver, 'applyChanges');
  return (request, call) =>
    importRows({ ...request, changes: request.changes.filter((change) => change.kind === 'insert') }, call);
}

type Settle = (sent: Change[], lost: DriverErrorDetails) => Promise<ChangeOutcome[]>;

/**
 * Passes the reports on. When they end or fail, settles the changes that were sent and have no outcome. The driver's
 * host fails a save that ends without an outcome for each change. So every sent change has an outcome: saves, imports
 * and copies need not count those that have none.
 */
async function* complete(
  reports: AsyncIterable<SaveReport>,
  { changes }: ChangeSet,
  settle: Settle,
): AsyncGenerator<SaveReport> {
  const waiting = new Map(changes.map((change) => [change.id, change]));
  const sent = new Map<string, Change>();
  const settled = async (reason: string): Promise<SaveReport> => ({
    sent: [],
    outcomes: await settle([...sent.values()], neverAnswered(reason)),
  });
  try {
    for await (const report of reports) {
      const outcomes = report.outcomes.filter(({ id }) => waiting.delete(id));
      for (const { id } of outcomes) sent.delete(id);
      const named = report.sent.filter((id) => waiting.has(id));
      for (const id of named) sent.set(id, withChosenKey(waiting.get(id)!, report));
      if (named.length > 0 || outcomes.length > 0) yield { ...report, sent: named, outcomes };
    }
  } catch (error) {
    if (sent.size > 0) yield await settled(appErrorDetails(toAppError(error, String)).message);
    throw error;
  }
  if (sent.size > 0) yield await settled('The driver gave no outcome');
}
