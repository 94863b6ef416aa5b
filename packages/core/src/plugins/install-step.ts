import { AppError, type AppErrorCode } from '../errors.ts';
import type { InstallStep } from '../types.ts';

/** Says which step refused. Thrown by a step; whoever runs the steps takes away what they left. */
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

/** What to do about a driver that connections use. */
export const whenInUse = 'Disconnect and try again.';
