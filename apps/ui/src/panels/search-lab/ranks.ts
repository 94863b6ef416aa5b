/** Compares the columns of the search lab. A column holds the row keys of one search as text, in order of rank. */

export interface RankLine {
  key: string;
  /** The ranks in the left and the right column, from 0. Null: that column does not have the row. */
  from: number | null;
  to: number | null;
}

/**
 * A line from each row of the left column to the best rank of the same row in the right column. A row that only one of
 * the two columns has gets a line with one end.
 */
export function rankLines(left: string[], right: string[]): RankLine[] {
  const inRight = placesOf(right);
  const inLeft = placesOf(left);
  return [
    ...left.map((key, from) => ({ key, from, to: inRight.get(key) ?? null })),
    ...right.flatMap((key, to) => (inLeft.has(key) ? [] : [{ key, from: null, to }])),
  ];
}

/**
 * Counts the first k rows of two columns. `shared`: the rows that both columns have. `of`: the rows of the column that
 * has more rows. A row in several groups counts once.
 */
export function overlap(left: string[], right: string[], k: number): { shared: number; of: number } {
  const [a, b] = [new Set(left.slice(0, k)), new Set(right.slice(0, k))];
  return { shared: a.intersection(b).size, of: Math.max(a.size, b.size) };
}

/**
 * For each column, the rows that no other column has. A column is null while it has no answer. If all other columns
 * are null, the column's set is empty.
 */
export function onlyIn(columns: (string[] | null)[]): Set<string>[] {
  return columns.map((keys, at) => {
    const others = columns.toSpliced(at, 1).filter((other) => other !== null);
    if (!keys || others.length === 0) return new Set();
    const found = new Set(others.flat());
    return new Set(keys.filter((key) => !found.has(key)));
  });
}

/** The best rank of each row: a row in several groups has several ranks. */
function placesOf(keys: string[]): Map<string, number> {
  const places = new Map<string, number>();
  for (const [place, key] of keys.entries()) if (!places.has(key)) places.set(key, place);
  return places;
}
