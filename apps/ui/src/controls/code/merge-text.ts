/**
 * Merges two texts with a common origin. Null if they changed the same place differently: the merge might be a text
 * that neither writer meant.
 */
export function mergeText(base: string, mine: string, theirs: string): string | null {
  if (mine === theirs || theirs === base) return mine;
  if (mine === base) return theirs;
  const own = changeOf(base, mine);
  const other = changeOf(base, theirs);
  const [first, second] = own.from <= other.from ? [own, other] : [other, own];
  if (first.to >= second.from) return null;
  return (
    base.slice(0, first.from) +
    first.insert +
    base.slice(first.to, second.from) +
    second.insert +
    base.slice(second.to)
  );
}

export interface TextChange {
  from: number;
  to: number;
  insert: string;
}

/** The single replacement that turns `before` into `after`: the part between their common start and end. */
export function changeOf(before: string, after: string): TextChange {
  const shorter = Math.min(before.length, after.length);
  let from = 0;
  while (from < shorter && before[from] === after[from]) from++;
  let same = 0;
  while (same < shorter - from && before[before.length - 1 - same] === after[after.length - 1 - same]) same++;
  return { from, to: before.length - same, insert: after.slice(from, after.length - same) };
}
