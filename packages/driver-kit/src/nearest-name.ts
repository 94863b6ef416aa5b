/** The name that was probably meant: it differs only in case or in a few letters. Undefined if none is close. */
export function nearestName(wanted: string, names: readonly string[]): string | undefined {
  const plain = wanted.toLowerCase();
  const near = names
    .map((name) => ({ name, apart: distance(plain, name.toLowerCase()) }))
    .filter(({ name, apart }) => apart <= Math.ceil(Math.min(name.length, plain.length) / 3))
    .sort((a, b) => a.apart - b.apart);
  return near[0]?.name;
}

/** A hint for a name that does not exist. */
export function suggestName(wanted: string, names: readonly string[]): string {
  const near = nearestName(wanted, names);
  if (near !== undefined) return `Did you mean "${near}"?`;
  if (names.length === 0) return 'There are none.';
  const more = names.length > maxNames ? ` and ${names.length - maxNames} more` : '';
  return `There are: ${names.slice(0, maxNames).join(', ')}${more}.`;
}

const maxNames = 30;

/** The number of letters to insert, delete or replace (Levenshtein). */
function distance(a: string, b: string): number {
  // Names of very different lengths are not a typing error. A very long name would take long to compare.
  if (Math.abs(a.length - b.length) > 20 || a.length > 200) return Number.POSITIVE_INFINITY;
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const replaced = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
