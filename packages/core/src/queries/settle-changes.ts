import type { LinkCall, LinkSession } from '@trestle/driver-host';
import {
  type Change,
  type ChangeOutcome,
  type DriverErrorDetails,
  ownValue,
  type SaveReport,
  type SettleRequest,
} from '@trestle/driver-kit';
import { requireMethod } from './capabilities.ts';

/**
 * Asks the driver about changes that were sent and never answered. Returns one outcome for each. `lost` is the error
 * of changes whose outcome the driver does not know, unless the driver gives an error of its own.
 */
export async function settleChanges(
  session: LinkSession,
  request: SettleRequest,
  { call, lost }: { call: LinkCall; lost?: DriverErrorDetails },
): Promise<ChangeOutcome[]> {
  const told = await requireMethod(session, 'settleChanges')(request, call);
  const outcomes = new Map(told.map((outcome) => [outcome.id, outcome]));
  return request.changes.map((change) => {
    const outcome = outcomes.get(change.id);
    return outcome && outcome.status !== 'unknown'
      ? outcome
      : { ...unknownOutcome(change, lost), ...outcome };
  });
}

/** The error of a change that was sent and never answered. */
export function neverAnswered(reason: string): DriverErrorDetails {
  return {
    code: 'connection_failed',
    message: `Sent, but the answer never came: ${reason}`,
    hint: 'Check whether the change was made before you send it again.',
  };
}

/** Includes the key under which a new row was sent. The next try must use it, or the row could be stored twice. */
export function unknownOutcome(change: Change, lost: DriverErrorDetails | undefined): ChangeOutcome {
  const key = change.kind === 'insert' ? change.key : undefined;
  return { id: change.id, status: 'unknown', ...(lost && { error: lost }), ...(key && { key }) };
}

/** Returns the change. If the driver chose a key for a new row, the returned change contains this key. */
export function withChosenKey(change: Change, { keys }: Pick<SaveReport, 'keys'>): Change {
  const key = ownValue(keys, change.id);
  return change.kind === 'insert' && key ? { ...change, key } : change;
}
