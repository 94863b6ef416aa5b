import type { DriverErrorDetails, Effect } from '@trestle/driver-kit';

export type AppErrorCode =
  | DriverErrorDetails['code']
  /** The caller may not do this. JSON-RPC code -33007. */
  | 'forbidden'
  /** The call writes, and the connection is read-only for this caller. */
  | 'read_only'
  /** The user refused or did not answer, or could not be asked. */
  | 'not_approved'
  /** The request needs the administrator passphrase. The caller gave none, or the given one was not accepted. */
  | 'passphrase_needed'
  | 'not_connected'
  | 'driver_missing'
  | 'storage_failed';

export interface AppErrorDetails {
  code: AppErrorCode;
  message: string;
  hint?: string;
  /** The effect that a statement needs, if the driver found it to be above the ceiling. */
  needs?: Effect;
  /** The message may quote the database. A client must get it as data. */
  fromDatabase?: boolean | undefined;
  /** Text from the database, next to our own message. It is sent as data, apart from the message. */
  quoted?: string | undefined;
}

/** An error that the core reports. `translate-error.ts` makes it from errors of drivers. It must not contain a secret. */
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

export function noConnection(): AppError {
  return new AppError({ code: 'not_found', message: 'There is no connection with this id' });
}

export function appErrorDetails({ code, message, hint, needs }: AppErrorDetails): AppErrorDetails {
  return { code, message, ...(hint !== undefined && { hint }), ...(needs !== undefined && { needs }) };
}

export function isAppError(error: unknown): error is AppError {
  return error instanceof Error && error.name === 'AppError' && 'code' in error;
}
