import type { DriverErrorDetails } from '@trestle/driver-kit';

/** The functions of this file return the error that says why a driver's process ended. Running calls fail with it. */

export function closed(): DriverErrorDetails {
  return {
    code: 'connection_failed',
    message: 'The connection is closed.',
    hint: 'Open the connection again.',
  };
}

export function unresponsive(driverName: string): DriverErrorDetails {
  return crashed(`The ${driverName} driver was stopped because it no longer responded.`);
}

export function offended(driverName: string, offence: string): DriverErrorDetails {
  return crashed(`The ${driverName} driver was stopped because it ${offence}.`);
}

/** `problem`: the mismatch between the answer and the driver kit. */
export function answeredWrongly(driverName: string, method: string, problem: string): DriverErrorDetails {
  return crashed(
    `The driver "${driverName}" answered ${method} wrongly: ${problem}`,
    'Trestle stopped the driver. Update it, or report this to its publisher.',
  );
}

export function exited(
  driverName: string,
  exit: { code: number | null; signal: NodeJS.Signals | null; outOfMemory: boolean },
): DriverErrorDetails {
  const how = exit.signal ? `signal ${exit.signal}` : `exit code ${exit.code}`;
  return crashed(
    `The ${driverName} driver stopped unexpectedly (${exit.outOfMemory ? 'out of memory' : how}).`,
    exit.outOfMemory ? 'Ask for fewer rows or columns at a time.' : undefined,
  );
}

function crashed(message: string, hint?: string): DriverErrorDetails {
  const log = 'The next request starts it again. Its last output is in the log.';
  return { code: 'driver_crashed', message, hint: hint ?? log };
}
