import { driverErrorDetails, isDriverError } from '@trestle/driver-kit';
import { AppError, isAppError, type Said } from './errors.ts';
import { own } from './own-text.ts';

/**
 * Turns any thrown value into an `AppError`. Drops the cause, which may contain secrets. Every text of a driver is
 * foreign, whatever its code: a hostile driver chooses both.
 */
export function toAppError(error: unknown, redact: (text: string) => string): AppError {
  return asAppError(error).withForeign(redact);
}

function asAppError(error: unknown): AppError {
  if (isAppError(error)) return error;
  return isAbort(error) ? cancelledError() : new AppError(driverErrorDetails(error));
}

export function cancelledError(message: Said = own`Cancelled`): AppError {
  return new AppError({ code: 'cancelled', message });
}

/** The platform's AbortError means that a signal fired. */
function isAbort(error: unknown): boolean {
  return !isDriverError(error) && error instanceof Error && error.name === 'AbortError';
}
