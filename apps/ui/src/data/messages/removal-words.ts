import { dayWords } from '../../controls/text/date-words.ts';
import type { Removal } from '../api/api-types.ts';

/** A sentence that says how many older entries were removed, why, and the day of the last removal. */
export function removalWords(
  { entries, at }: Removal,
  [one, many]: [one: string, many: string],
  why = 'to stay within the storage limits',
): string {
  const count = entries === 1 ? `1 older ${one} was` : `${entries.toLocaleString('en')} older ${many} were`;
  return `${count} removed ${why}, last on ${dayWords(new Date(at))}.`;
}
