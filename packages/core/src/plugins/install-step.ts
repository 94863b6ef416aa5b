import { AppError, type AppErrorCode } from '../errors.ts';
import type { InstallStep } from '../types.ts';

/** The error of an install step that refused the driver. */
export function refusal(
  step: InstallStep,
  reason: string,
  details: { code?: AppErrorCode; hint?: string } = {},
): AppError {
  const { code = 'invalid_argument', hint } = details;
  return new AppError({
    code,
    message: `Step "${step}" refused the driver: ${reason}`,
    ...(hint !== undefined && { hint }),
  });
}

/** The hint for a driver that connections are using. */
export const whenInUse = 'Disconnect and try again.';
