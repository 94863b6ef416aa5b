import { type ChangeOutcome, DriverError, type DriverErrorDetails } from '@trestle/driver-kit';

export interface Sent {
  outcome: ChangeOutcome;
  /** False if the server gave no final answer, and no later read settled the change. */
  answered: boolean;
  /** Why the request itself failed, if the outcome comes from a later read. */
  cause?: DriverErrorDetails;
}

/**
 * The server itself reported a failure and no longer works on the request. It may have stored the object before it
 * failed.
 */
export class FailedWrite extends DriverError {}

const checkFirst = 'Check whether the change was made before you send it again.';

/** The error of a change whose answer never came. The server may have made the change. */
export function lostAnswer(cause: DriverErrorDetails): DriverErrorDetails {
  return { ...cause, message: `Sent, but the answer never came: ${cause.message}`, hint: checkFirst };
}

/** The error of a change that the server may have made, although it reports a failure. */
export function doubtfulFailure(cause: DriverErrorDetails): DriverErrorDetails {
  const message =
    cause.code === 'conflict'
      ? `${cause.message}. The existing object may be this row`
      : `The server failed during this change: ${cause.message}`;
  return { ...cause, message, hint: checkFirst };
}

/**
 * The warning of a row that is stored, although the server reports a failure. The server stores an object before it
 * indexes the object. If a vector does not fit its index, the object stays stored, but a search by the vector does not
 * find the object.
 */
export function storedWithError(cause: DriverErrorDetails): string {
  return `Stored, but the server reports an error, so a search may not find this row: ${cause.message}`;
}

/** The error of a row that is not sent, because rows before it failed for this reason. */
export function notSentSince(reason: DriverErrorDetails): DriverErrorDetails {
  const why =
    reason.code === 'authentication_failed'
      ? 'since the server refuses the key'
      : reason.code === 'disk_full'
        ? 'since the server refuses to write'
        : 'since the server no longer answers';
  return { ...reason, message: `Not sent, ${why}: ${reason.message}` };
}
