import { redactDetails } from '@trestle/driver-host';
import { driverErrorDetails, isDriverError } from '@trestle/driver-kit';
import { AppError, type AppErrorDetails, appErrorDetails, isAppError } from './errors.ts';

/** Turns any thrown value into an `AppError`. Drops the cause, which may contain secrets. */
export function toAppError(error: unknown, redact: (text: string) => string): AppError {
  const isOurs = isAppError(error);
  const details = isOurs ? appErrorDetails(error) : driverErrorDetails(asDriverError(error));
  const fromDatabase = isOurs ? error.fromDatabase || quoting.has(details.code) : !plain.has(details.code);
  return new AppError({ ...redactDetails(details, redact), fromDatabase });
}

/** Driver errors with these codes do not quote the database. */
const plain = new Set<AppErrorDetails['code']>(['cancelled', 'timeout', 'driver_crashed']);
/**
 * App errors with these codes may quote the database: a session stores a driver's error and throws it later as an app
 * error.
 */
const quoting = new Set<AppErrorDetails['code']>([
  'authentication_failed',
  'connection_failed',
  'permission_denied',
]);

export function cancelledError(message = 'Cancelled'): AppError {
  return new AppError({ code: 'cancelled', message });
}

/** The platform's AbortError means that a signal fired. */
function asDriverError(error: unknown): unknown {
  if (isDriverError(error) || !(error instanceof Error)) return error;
  return error.name === 'AbortError' ? cancelled : error;
}

const cancelled = Object.assign(new Error('Cancelled'), { name: 'DriverError', code: 'cancelled' as const });
