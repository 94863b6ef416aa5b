import type { Change, ChangeOutcome, DriverErrorDetails } from '@trestle/driver-kit';

export interface Sent {
  outcome: ChangeOutcome;
  /** False if the server sent no answer at all. */
  answered: boolean;
  /** The failure of the request itself, if the outcome says more than that. */
  cause?: DriverErrorDetails;
}

export function unknownOutcome(change: Change, cause: DriverErrorDetails): ChangeOutcome {
  return {
    id: change.id,
    status: 'unknown',
    error: {
      ...cause,
      message: `Sent, but the answer never came: ${cause.message}`,
      hint: 'Check whether it was stored before you send it again.',
    },
  };
}
