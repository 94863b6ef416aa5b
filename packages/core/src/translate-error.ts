import { driverErrorDetails, isDriverError } from '@trestle/driver-kit';
import { AppError, type AppErrorDetails, appErrorDetails, isAppError } from './errors.ts';

/** Whatever was thrown below as the one error that leaves the core. No cause: it may hold secrets. */
export function toAppError(error: unknown, redact: (text: string) => string): AppError {
  const isOurs = isAppError(error);
  const details = isOurs ? appErrorDetails(error) : driverErrorDetails(asDriverError(error));
  const fromDatabase = isOurs ? error.fromDatabase || quoting.has(details.code) : !plain.has(details.code);
  return new AppError({ ...redactDetails(details, redact), fromDatabase });
}

/** Errors of a driver with these codes never quote the database. */
const plain = new Set<AppErrorDetails['code']>(['cancelled', 'timeout', 'driver_crashed']);
/** Errors with these codes quote it, even where a session kept them for later. */
const quoting = new Set<AppErrorDetails['code']>([
  'authentication_failed',
  'connection_failed',
  'permission_denied',
]);

export function redactDetails<Details extends AppErrorDetails>(
  details: Details,
  redact: (text: string) => string,
): Details {
  return {
    ...details,
    message: redact(details.message),
    ...(details.hint !== undefined && { hint: redact(details.hint) }),
  };
}

/** Replaces the given secrets, also as they look inside a URL or a Basic header. */
export function redactor(secrets: readonly string[]): (text: string) => string {
  const forms = new Set<string>();
  for (const secret of secrets) {
    // A shorter one would take ordinary words and numbers out of every sentence.
    if (secret.length < 4) continue;
    forms.add(secret).add(encodeURIComponent(secret)).add(Buffer.from(secret).toString('base64'));
  }
  // A secret that contains another must go first, or its rest would stay.
  const longestFirst = [...forms].sort((a, b) => b.length - a.length);
  return (text) => longestFirst.reduce((rest, form) => rest.replaceAll(form, '•••'), text);
}

export function cancelledError(message = 'Cancelled'): AppError {
  return new AppError({ code: 'cancelled', message });
}

/** A platform's AbortError means that somebody's signal fired. */
function asDriverError(error: unknown): unknown {
  if (isDriverError(error) || !(error instanceof Error)) return error;
  return error.name === 'AbortError' ? cancelled : error;
}

const cancelled = Object.assign(new Error('Cancelled'), { name: 'DriverError', code: 'cancelled' as const });
