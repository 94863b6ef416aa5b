import { DriverError, isDriverError } from '@trestle/driver-kit';

/** SQLite's own message, with a code that the app can act on. Result codes: https://sqlite.org/rescode.html */
export function translateError(error: unknown, path?: string): DriverError {
  if (isDriverError(error)) return error;
  const message = error instanceof Error ? error.message : String(error);
  const options = { cause: error };
  switch (primaryCode(error)) {
    case 5: // BUSY
    case 6: // LOCKED
      return lockedFile(message, error);
    case 3: // PERM
    case 8: // READONLY
      return new DriverError(
        { code: 'permission_denied', message, hint: 'The file or its folder does not allow writing.' },
        options,
      );
    case 10: // IOERR
    case 14: // CANTOPEN
      return connectionFailed(
        path === undefined ? message : `${message}: ${path}`,
        'Check that the file exists and may be read. A missing database is not created.',
        error,
      );
    case 13: // FULL
      return new DriverError(
        { code: 'disk_full', message, hint: 'Make room on the disk, or raise PRAGMA max_page_count.' },
        options,
      );
    case 11: // CORRUPT
      return new DriverError(
        { code: 'query_failed', message, hint: 'PRAGMA integrity_check shows what is damaged.' },
        options,
      );
    case 18: // TOOBIG
      return new DriverError(
        {
          code: 'query_failed',
          message,
          hint: 'A value, or a row to write or sort, has more than 128 MB. To read the other columns, leave the large ones out.',
        },
        options,
      );
    case 19: // CONSTRAINT
      return new DriverError(
        { code: 'conflict', message, ...(isBrokenReference(error) && { hint: referenceHint }) },
        options,
      );
    case 26: // NOTADB
      return connectionFailed(message, 'The file is not a SQLite database, or it is encrypted.', error);
    default:
      return new DriverError({ code: 'query_failed', message }, options);
  }
}

export function lockedFile(message: string, cause: unknown): DriverError {
  const hint =
    'Another program, or another call in Trestle, holds a lock on this file. Try again when it has finished.';
  return new DriverError({ code: 'locked', message, hint }, { cause });
}

/**
 * Whether a writer was killed and left a journal to roll back or a write-ahead log to recover. A read-only handle
 * cannot roll back or recover.
 */
export function isLeftUnfinished(error: unknown): boolean {
  for (let current = error; current instanceof Error; current = current.cause) {
    if (hasCode(current, readonlyRollback) || hasCode(current, readonlyRecovery)) return true;
  }
  return false;
}

const readonlyRollback = 776;
const readonlyRecovery = 264;
const brokenReference = 787;

export function isBrokenReference(error: unknown): boolean {
  return hasCode(error, brokenReference);
}

const referenceHint =
  'Other rows still refer to this row, or this row refers to a row that does not exist. Change or add those rows first.';

function hasCode(error: unknown, code: number): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === code;
}

export function connectionFailed(detail: string, hint: string, cause?: unknown): DriverError {
  return new DriverError(
    { code: 'connection_failed', message: `Connection failed: ${detail}`, hint },
    { cause },
  );
}

export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new DriverError({ code: 'cancelled', message: 'Cancelled' });
}

/** The low byte of SQLite's extended result code. Undefined for an error that is not from SQLite. */
function primaryCode(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;
}
