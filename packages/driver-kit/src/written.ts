import { amount } from './amount.ts';

/** The rows that a statement or a save wrote. */
export interface Written {
  /** Existing rows that were changed or deleted. */
  changed: number;
  /** New rows. Where the driver can create tables, columns or partitions, each of them counts as one new row. */
  inserted: number;
}

export function isWithin(written: Written, budget: Written): boolean {
  return written.changed <= budget.changed && written.inserted <= budget.inserted;
}

/** `7 rows changed or deleted and 1 new row`. */
export function writtenInWords({ changed, inserted }: Written): string {
  const parts = [
    ...(changed > 0 || inserted === 0 ? [`${amount(changed, 'row')} changed or deleted`] : []),
    ...(inserted > 0 ? [amount(inserted, 'new row')] : []),
  ];
  return parts.join(' and ');
}
