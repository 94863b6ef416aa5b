import type { Neighbour, Scan, ScannedRow } from './scan.ts';

export interface Pair {
  /** The ids of both rows. */
  id: string;
  /** The row that was read first. */
  a: ScannedRow;
  /** The other row. If a search found it, it may never have been read. */
  b: ScannedRow;
  distance: number;
}

/** The pairs of neighbours in the scan that are at most the threshold apart. Each is listed once, the nearest first. */
export function pairsWithin(scan: Scan, threshold: number): Pair[] {
  const placeOf = placesIn(scan);
  const pairs = new Map<string, Pair>();
  for (const [id, near] of scan.near) {
    for (const { id: other, distance } of near.filter(isKnown)) {
      if (distance > threshold) break;
      const [first, second] = placeOf(id) < placeOf(other) ? [id, other] : [other, id];
      const [a, b] = [scan.rows.get(first), scan.rows.get(second)];
      // The length shows where the first id ends. JSON would take longer, and there may be half a million pairs.
      const both = `${first.length} ${first} ${second}`;
      if (a && b) pairs.set(both, { id: both, a, b, distance });
    }
  }
  return [...pairs.values()].sort(
    (one, two) => one.distance - two.distance || placeOf(one.a.id) - placeOf(two.a.id),
  );
}

/**
 * Groups of rows that are near each other, directly or through other rows. The first row of a group is the
 * one that was read first.
 */
export function groupsOf(scan: Scan, pairs: Pair[]): ScannedRow[][] {
  const rows = new Map<string, ScannedRow>();
  /** A union-find structure: leads from each row, step by step, to the root row of its group. */
  const leads = new Map<string, string>();
  const rootOf = (id: string): string => {
    let root = id;
    for (let next = leads.get(root); next !== undefined; next = leads.get(root)) root = next;
    // Shortens the path for the next lookup. Otherwise a group of thousands of rows could take minutes.
    for (let at = id; at !== root; ) {
      const next = leads.get(at)!;
      leads.set(at, root);
      at = next;
    }
    return root;
  };
  for (const { a, b } of pairs) {
    rows.set(a.id, a).set(b.id, b);
    const [left, right] = [rootOf(a.id), rootOf(b.id)];
    if (left !== right) leads.set(right, left);
  }
  const groups = new Map<string, ScannedRow[]>();
  // In the order of reading. Rows that a search found but that were not read come last.
  for (const id of new Set([...scan.compared, ...rows.keys()])) {
    const row = rows.get(id);
    if (!row) continue;
    const root = rootOf(id);
    const group = groups.get(root);
    if (group) group.push(row);
    else groups.set(root, [row]);
  }
  return [...groups.values()];
}

/**
 * All rows of each group except the one to keep: the first that is not marked for deletion. If all rows of a group are
 * marked, none is kept.
 */
export function copiesIn(groups: ScannedRow[][], isMarked: (row: ScannedRow) => boolean): ScannedRow[] {
  return groups.flatMap((group) => {
    const kept = group.find((row) => !isMarked(row));
    return group.filter((row) => row !== kept);
  });
}

/** The place of a row in the order of reading. Rows that a search found but that were not read come last. */
function placesIn({ compared }: Scan): (id: string) => number {
  const places = new Map(compared.map((id, at) => [id, at]));
  return (id) => places.get(id) ?? Number.MAX_SAFE_INTEGER;
}

export interface FarRow {
  row: ScannedRow;
  /** The mean distance to the nearest rows. */
  distance: number;
  nearest: { row: ScannedRow; distance: number }[];
}

/**
 * How many nearest rows the mean distance includes. With only one, two outliers beside each other would not be noticed.
 */
export const countedNeighbours = 5;

/** Rows by the mean distance to their nearest rows, the farthest first. */
export function farRows(scan: Scan, limit: number): FarRow[] {
  const far = [...scan.near].flatMap(([id, near]) => {
    const row = scan.rows.get(id);
    const counted = near.filter(isKnown).slice(0, countedNeighbours);
    if (!row || counted.length === 0) return [];
    const distance = counted.reduce((sum, one) => sum + one.distance, 0) / counted.length;
    return [{ row, distance, counted }];
  });
  far.sort((a, b) => b.distance - a.distance);
  return far.slice(0, limit).map(({ row, distance, counted }) => ({
    row,
    distance,
    nearest: counted.flatMap((one) => {
      const other = scan.rows.get(one.id);
      return other ? [{ row: other, distance: one.distance }] : [];
    }),
  }));
}

/**
 * The number of rows that have `kept` neighbours, all within the threshold. Such a row may have more near rows than
 * were kept.
 */
export function crowdedRows(scan: Scan, threshold: number, kept: number): number {
  const isFull = ({ length }: { length: number }) => length >= kept;
  return [...scan.near.values()].filter((near) => isFull(near) && near.at(-1)!.distance <= threshold).length;
}

/**
 * Counts the rows by the distance to their nearest row. `steps` equal steps divide the distances from `least` to `most`.
 * `least` is usually 0. If the smallest distance is negative (as with `dot`) and not just a rounding error, `least` is
 * that distance.
 */
export function nearestDistances(
  scan: Scan,
  steps: number,
): { least: number; most: number; counts: number[] } {
  const known = nearestKnown(scan);
  const smallest = known.reduce((low, distance) => Math.min(low, distance), 0);
  const least = smallest < -roundingError ? smallest : 0;
  const nearest = known.map((distance) => Math.max(least, distance));
  const most = nearest.reduce((high, distance) => Math.max(high, distance), least);
  const counts = new Array<number>(steps).fill(0);
  for (const distance of nearest) {
    const part = most === least ? 0 : (distance - least) / (most - least);
    const step = Math.min(steps - 1, Math.floor(part * steps));
    counts[step]! += 1;
  }
  return { least, most, counts };
}

/** A cosine distance may be this far below 0. */
const roundingError = 0.01;

/**
 * The initial threshold. Distances from 0 to 2 count as cosine distances. Their range is fixed, so 0.05 is
 * meaningful. For other distances, the threshold includes about the nearest 1 % of the rows.
 */
export function firstThreshold(scan: Scan): number {
  const nearest = nearestKnown(scan).sort((a, b) => a - b);
  const most = nearest.at(-1) ?? 0;
  if (most <= 2 && (nearest[0] ?? 0) >= -roundingError) return 0.05;
  return roundedUp(nearest[Math.floor(nearest.length / 100)] ?? 0);
}

/** Rounds up to two significant digits. Rounded down, the threshold would exclude the distance that it comes from. */
function roundedUp(distance: number): number {
  const near = Number(distance.toPrecision(2));
  if (near >= distance) return near;
  const step = 10 ** (Math.floor(Math.log10(Math.abs(distance))) - 1);
  return Number((near + step).toPrecision(2));
}

/** The distance of each row to its nearest row. Unknown distances are left out. */
function nearestKnown(scan: Scan): number[] {
  return [...scan.near.values()].flatMap((near) => near.find(isKnown)?.distance ?? []);
}

/** A database may give no distance for a row. The distance is then NaN, which would spoil a sort or a mean. */
function isKnown({ distance }: Neighbour): boolean {
  return !Number.isNaN(distance);
}
