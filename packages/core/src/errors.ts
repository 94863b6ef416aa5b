import type { DriverErrorDetails, Effect } from '@trestle/driver-kit';

export type AppErrorCode =
  | DriverErrorDetails['code']
  /** External Clients, AI Policy, scope or allowlist refuses: JSON-RPC -33007. */
  | 'forbidden'
  /** The connection is read only for this caller, and the statement writes. */
  | 'read_only'
  /** The user was asked and refused, or there was nobody to ask. */
  | 'not_approved'
  /** Only the person may do this, and the door it came through does not tell a person from a program. */
  | 'passphrase_needed'
  | 'not_connected'
  | 'driver_missing'
  | 'storage_failed';

export interface AppErrorDetails {
  code: AppErrorCode;
  message: string;
  hint?: string;
  /** With `above_ceiling`, `read_only` and `forbidden` for a statement: what it would need. */
  needs?: Effect;
  /** The words may be the database's own. A client must be shown them as data. */
  fromDatabase?: boolean | undefined;
  /** Words of the database beside our own message: they go out as data, apart from it. */
  quoted?: string | undefined;
}

/** Every error that leaves the core. Translated once, here, from whatever was thrown below; holds no secret. */
export class AppError extends Error implements AppErrorDetails {
  readonly code: AppErrorCode;
  readonly hint?: string;
  readonly needs?: Effect;
  readonly fromDatabase?: boolean;
  readonly quoted?: string;

  constructor(details: AppErrorDetails, options?: { cause?: unknown }) {
    super(details.message, options);
    this.name = 'AppError';
    this.code = details.code;
    if (details.hint !== undefined) this.hint = details.hint;
    if (details.needs !== undefined) this.needs = details.needs;
    if (details.fromDatabase) this.fromDatabase = true;
    if (details.quoted !== undefined) this.quoted = details.quoted;
  }
}

export function appErrorDetails({ code, message, hint, needs }: AppErrorDetails): AppErrorDetails {
  return { code, message, ...(hint !== undefined && { hint }), ...(needs !== undefined && { needs }) };
}

export function isAppError(error: unknown): error is AppError {
  return error instanceof Error && error.name === 'AppError' && 'code' in error;
}
