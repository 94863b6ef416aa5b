import type { ChangeSet } from '@trestle/driver-kit';
import { AppError } from '../errors.ts';
import { own, ownAmount } from '../own-text.ts';

/** The reach limit of a statement also applies to the rows that an external client changes or deletes in one call. */
export function assertFewRows({ changes }: ChangeSet, reach: number | undefined): void {
  const existing = changes.filter(({ kind }) => kind !== 'insert').length;
  if (reach === undefined || existing <= reach) return;
  throw new AppError({
    code: 'refused',
    message: own`The call would change or delete ${ownAmount(existing, own`row`)}, and the limit of this connection is ${reach}. Nothing was changed`,
    hint: own`Send fewer rows at once, or ask the user to confirm one statement for all of them.`,
  });
}
