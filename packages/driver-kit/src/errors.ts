import type { Effect } from './effect.ts';

export type DriverErrorCode =
  | 'authentication_failed'
  | 'connection_failed'
  | 'permission_denied'
  | 'not_found'
  | 'invalid_argument'
  | 'filter_unrunnable'
  | 'paging_limit'
  /** The statement's effect is stronger than its ceiling. `needs` is the effect. */
  | 'above_ceiling'
  /** The `Loss` of the statement is no longer the one that the user approved. */
  | 'loss_changed'
  /** The request may not run. A higher ceiling would not help. */
  | 'refused'
  | 'conflict'
  /** The database is locked, for example by another program. Nothing was done, so the same call can be sent again. */
  | 'locked'
  | 'query_failed'
  | 'unsupported'
  | 'cancelled'
  | 'timeout'
  | 'driver_crashed'
  | 'internal';

export interface DriverErrorDetails {
  code: DriverErrorCode;
  /** Exact and short, without secrets. */
  message: string;
  /** What to do next. */
  hint?: string;
  needs?: Effect;
}

/** The error that drivers throw. Compare `code`, not the class: only the details cross the link to the app. */
export class DriverError extends Error implements DriverErrorDetails {
  readonly code: DriverErrorCode;
  readonly hint?: string;
  readonly needs?: Effect;

  constructor(details: DriverErrorDetails, options?: { cause?: unknown }) {
    super(details.message, options);
    this.name = 'DriverError';
    this.code = details.code;
    if (details.hint !== undefined) this.hint = details.hint;
    if (details.needs !== undefined) this.needs = details.needs;
  }
}

export function isDriverError(error: unknown): error is DriverError {
  return error instanceof Error && error.name === 'DriverError' && 'code' in error;
}

/** The parts of an error that may go to another process. Its cause and stack may contain secrets and stay behind. */
export function driverErrorDetails(error: unknown): DriverErrorDetails {
  if (isDriverError(error)) {
    const { code, message, hint, needs } = error;
    return { code, message, ...(hint !== undefined && { hint }), ...(needs !== undefined && { needs }) };
  }
  return { code: 'internal', message: error instanceof Error ? error.message : String(error) };
}
