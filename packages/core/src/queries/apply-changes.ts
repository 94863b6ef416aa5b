import type { ChangeOutcome, ChangeSet, DriverErrorDetails, SaveReport } from '@trestle/driver-kit';
import { appErrorDetails } from '../errors.ts';
import type { Mask } from '../masking/mask.ts';
import type { Data } from '../types.ts';
import { assertFewRows } from './assert-few-rows.ts';
import type { Operation } from './call.ts';
import { requireMethod } from './capabilities.ts';
import type { DataParts } from './data.ts';
import { redactDetails, toAppError } from './translate-error.ts';

/** A save, report by report. The statement timeout is for one row of it. */
export function createApplyChanges({ runner, sessions, settings, events }: DataParts): Data['applyChanges'] {
  return (access, changes) => {
    const { connectionId } = access;
    let touched = false;
    const operation: Operation<SaveReport> = {
      action: 'applyChanges',
      wants: 'write',
      drains: true,
      table: changes.table,
      rowsOf: ({ outcomes }) => outcomes.filter(({ status }) => status === 'applied').length,
      onEnd: () => {
        if (touched) events.emit({ type: 'rowsChanged', connectionId, table: changes.table });
      },
    };
    return runner.stream(access, operation, async function* ({ session, call, mask, reach }) {
      mask.assertChanges(changes);
      assertFewRows(changes, reach);
      const rowTimeoutMs = access.timeoutMs ?? settings.get().statementTimeoutSeconds * 1000;
      const reports = session.stream(call.signal, ({ session: driver }) =>
        requireMethod(driver, 'applyChanges')(
          { ...changes, rowTimeoutMs, ...(reach !== undefined && { reach }) },
          call,
        ),
      );
      for await (const report of complete(reports, changes)) {
        // The secrets are known only once the session is open.
        const redact = sessions.redact(connectionId);
        touched ||= report.outcomes.some(({ status }) => status === 'applied' || status === 'unknown');
        yield {
          ...report,
          outcomes: report.outcomes.map((one) => present(one, changes.table, mask, redact)),
        };
      }
    });
  };
}

/** A change that was sent and has no outcome when the save ends is `unknown`, whatever ended it. */
async function* complete(
  reports: AsyncIterable<SaveReport>,
  { changes }: ChangeSet,
): AsyncGenerator<SaveReport> {
  const waiting = new Set(changes.map(({ id }) => id));
  const sent = new Set<string>();
  const lost = (error: DriverErrorDetails): SaveReport => ({
    sent: [],
    outcomes: [...sent].map((id) => ({ id, status: 'unknown', error })),
  });
  try {
    for await (const report of reports) {
      const outcomes = report.outcomes.filter(({ id }) => waiting.delete(id));
      for (const { id } of outcomes) sent.delete(id);
      const named = report.sent.filter((id) => waiting.has(id));
      for (const id of named) sent.add(id);
      if (named.length > 0 || outcomes.length > 0) yield { sent: named, outcomes };
    }
  } catch (error) {
    if (sent.size > 0) yield lost(neverAnswered(appErrorDetails(toAppError(error, String)).message));
    throw error;
  }
  if (sent.size > 0) yield lost(neverAnswered('The driver gave no outcome'));
}

function neverAnswered(reason: string): DriverErrorDetails {
  return {
    code: 'connection_failed',
    message: `Sent, but the answer never came: ${reason}`,
    hint: 'Look whether it was stored before you send it again.',
  };
}

function present(
  outcome: ChangeOutcome,
  table: string,
  mask: Mask,
  redact: (text: string) => string,
): ChangeOutcome {
  const redacted = outcome.error ? { ...outcome, error: redactDetails(outcome.error, redact) } : outcome;
  return mask.outcome(table, redacted);
}
