import type { ChangeSet } from '@trestle/driver-kit';
import { AppError } from '../errors.ts';

/** An external client changes and deletes at most as many rows at once as one statement of it may. */
export function assertFewRows({ changes }: ChangeSet, reach: number | undefined): void {
  const existing = changes.filter(({ kind }) => kind !== 'insert').length;
  if (reach === undefined || existing <= reach) return;
  throw new AppError({
    code: 'refused',
    message: `The call would change or delete ${existing} rows, and the limit of this connection is ${reach}. Nothing was changed`,
    hint: 'Send fewer rows at once, or ask the user to confirm one statement for all of them.',
  });
}
