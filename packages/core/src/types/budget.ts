import type { Written } from '@trestle/driver-kit';

/** Rows that one call may write. They count as written until the call settles them. */
export interface Hold {
  readonly amount: Written;
  /** Gives back the rows that were not written. Only the first call counts. */
  settle(written: Written): void;
}
