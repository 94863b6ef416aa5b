import type { Effect } from './effect.ts';
import type { EndpointNeed } from './outbound.ts';
import type { Written } from './written.ts';

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
  /** The statement would write more rows than its `budget`. `written` says how many. Nothing was changed. */
  | 'over_budget'
  /** The `Loss` of the statement is no longer the one that the user approved. */
  | 'loss_changed'
  /** A masked kind of value may be in a column that is not guarded yet. Nothing was changed. */
  | 'mask_outdated'
  /** A stored key could go to an address that the user has not approved. `endpoints` says which. Nothing was sent. */
  | 'endpoint_unapproved'
  /** The request may not run. A higher ceiling would not help. */
  | 'refused'
  | 'conflict'
  /** The database is locked, for example by another program. Nothing was done, so the same call can be sent again. */
  | 'locked'
  | 'query_failed'
  /** The database takes no writes, usually because its disk has no room. Every further write would fail for the same reason. */
  | 'disk_full'
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
  /** With `over_budget`: the rows that the statement would write. With another code: those that it may have written. */
  written?: Written;
  endpoints?: EndpointNeed;
}

/** The error that drivers throw. Compare `code`, not the class: only the details cross the link to the app. */
export class DriverError extends Error implements DriverErrorDetails {
  readonly code: DriverErrorCode;
  readonly hint?: string;
  readonly needs?: Effect;
  readonly written?: Written;
  readonly endpoints?: EndpointNeed;

  constructor(details: DriverErrorDetails, options?: { cause?: unknown }) {
    super(details.message, options);
    this.name = 'DriverError';
    this.code = details.code;
    if (details.hint !== undefined) this.hint = details.hint;
    if (details.needs !== undefined) this.needs = details.needs;
    if (details.written !== undefined) this.written = details.written;
    if (details.endpoints !== undefined) this.endpoints = details.endpoints;
  }
}

export function isDriverError(error: unknown): error is DriverError {
  return error instanceof Error && error.name === 'DriverError' && 'code' in error;
}

/** The parts of an error that may go to another process. Its cause and stack may contain secrets and stay behind. */
export function driverErrorDetails(error: unknown): DriverErrorDetails {
  if (isDriverError(error)) {
    const { code, message, hint, needs, written, endpoints } = error;
    return {
      code,
      message,
      ...(hint !== undefined && { hint }),
      ...(needs !== undefined && { needs }),
      ...(written !== undefined && { written }),
      ...(endpoints !== undefined && { endpoints }),
    };
  }
  return { code: 'internal', message: error instanceof Error ? error.message : String(error) };
}
