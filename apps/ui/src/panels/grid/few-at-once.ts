/** The first and last index of adjacent columns; last < first if there are none. */
export interface Span {
  first: number;
  last: number;
}

/**
 * The wanted lines to draw now: those that are drawn already, and at most `most` others. After a jump the whole view
 * is new. Drawn in one task, it would block the window long enough for a user to notice. A grid that has drawn nothing
 * yet gets all lines at once.
 */
export function fewLines(
  wanted: number[],
  drawn: ReadonlySet<number>,
  most: number,
  active: number,
): number[] {
  if (drawn.size === 0) return wanted;
  let left = wanted.filter((line) => !drawn.has(line)).length - most;
  if (left <= 0) return wanted;
  // The last new lines wait, but never the active line: the focus points at its cell.
  return wanted
    .toReversed()
    .filter((line) => drawn.has(line) || line === active || left-- <= 0)
    .reverse();
}

/** Like `fewLines`, for columns, which are drawn without a gap. */
export function fewColumns(wanted: Span, drawn: Span, most: number): Span {
  if (drawn.last < drawn.first) return wanted;
  const kept = { first: Math.max(wanted.first, drawn.first), last: Math.min(wanted.last, drawn.last) };
  if (kept.last < kept.first) {
    return { first: wanted.first, last: Math.min(wanted.last, wanted.first + most - 1) };
  }
  const last = Math.min(wanted.last, kept.last + most);
  const first = Math.max(wanted.first, kept.first - (most - (last - kept.last)));
  return { first, last };
}
