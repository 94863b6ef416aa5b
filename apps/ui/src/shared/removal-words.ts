import type { Removal } from './api-types.ts';

/** Says that older entries were removed, and why, where the user would look for them. */
export function removalWords(
  { entries, at }: Removal,
  [one, many]: [one: string, many: string],
  why = 'to stay within the storage limits',
): string {
  const count = entries === 1 ? `1 older ${one} was` : `${entries.toLocaleString('en')} older ${many} were`;
  return `${count} removed ${why}, last on ${dayText(at)}.`;
}

function dayText(iso: string): string {
  return new Date(iso).toLocaleDateString(undefined, { year: 'numeric', month: 'short', day: 'numeric' });
}
