import type { LinkCall, LinkSession } from '@trestle/driver-host';
import type { Change, ChangeOutcome, ChangeSet, DriverErrorDetails } from '@trestle/driver-kit';
import { requireMethod } from './capabilities.ts';

/** Asks the driver about changes that were sent and never answered. Returns one outcome for each. */
export async function settleChanges(
  session: LinkSession,
  set: ChangeSet,
  { call, lost }: { call: LinkCall; lost: DriverErrorDetails },
): Promise<ChangeOutcome[]> {
  const told = await requireMethod(session, 'settleChanges')(set, call);
  const outcomes = new Map(told.map((outcome) => [outcome.id, outcome]));
  return set.changes.map(({ id }) => {
    const outcome = outcomes.get(id);
    return outcome && outcome.status !== 'unknown' ? outcome : { id, status: 'unknown', error: lost };
  });
}

/** The outcome of a change that was sent and never answered. */
export function neverAnswered(reason: string): DriverErrorDetails {
  return {
    code: 'connection_failed',
    message: `Sent, but the answer never came: ${reason}`,
    hint: 'Check whether it was stored before you send it again.',
  };
}

export function unknownOutcomes(changes: readonly Change[], lost: DriverErrorDetails): ChangeOutcome[] {
  return changes.map(({ id }) => ({ id, status: 'unknown', error: lost }));
}
