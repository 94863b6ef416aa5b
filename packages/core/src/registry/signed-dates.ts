import { AppError } from '../errors.ts';

interface SignedDates {
  signedAt: string;
  /** Null: never. */
  expiresAt: string | null;
}

/**
 * Why a signed file must not be used now, or null. A mirror, or somebody on the way, can keep an old file with a valid
 * signature, so that a security update never arrives. `file` names the file, such as `The index of the registry`.
 */
export function datesProblem(
  file: string,
  { signedAt, expiresAt }: SignedDates,
  now: number,
): AppError | null {
  const today = dayOf(now);
  if (Date.parse(signedAt) > now + toleranceMs) {
    return new AppError({
      code: 'refused',
      message: `${file} was signed on ${dayOf(Date.parse(signedAt))}, and the clock of this computer says ${today}`,
      hint: 'Set the clock of this computer, and try again. What is installed keeps working.',
    });
  }
  if (expiresAt !== null && Date.parse(expiresAt) <= now) {
    return new AppError({
      code: 'refused',
      message: `${file} expired on ${dayOf(Date.parse(expiresAt))}, and the clock of this computer says ${today}`,
      hint: 'If the clock is wrong, set it. If it is right, try again later: the server may hold updates back, or its owner has to sign a new file. Ask the owner if this lasts. Nothing is installed from there until then. What is installed keeps working.',
    });
  }
  return null;
}

/** Clocks of other machines and time zones that were set wrongly. */
const toleranceMs = 25 * 3_600_000;

function dayOf(time: number): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? 'an unknown day' : date.toISOString().slice(0, 10);
}
