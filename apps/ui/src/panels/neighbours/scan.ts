import type { RowKey } from '@trestle/driver-kit';

export interface ScannedRow {
  /** The key as text. */
  id: string;
  key: RowKey;
  title: string;
}

export interface Neighbour {
  id: string;
  distance: number;
}

/** Rows with their nearest rows. Duplicates and outliers are computed from a scan. */
export interface Scan {
  /** The rows of `compared`, and the rows that a search found, by id. */
  rows: Map<string, ScannedRow>;
  /** The ids of the rows with a vector that can be compared, in the order of reading. */
  compared: string[];
  /** The nearest rows of each row that was compared, by its id: nearest first, without the row itself. */
  near: Map<string, Neighbour[]>;
  /** Rows without a vector, or with one that cannot be compared with the others. */
  without: ScannedRow[];
  /** The length of the compared vectors. Undefined if the database compares them, or if no vector was read yet. */
  dimensions?: number;
  /** How many searches failed, and why the last of them failed. */
  failed: { count: number; reason: string };
}

export function newScan(): Scan {
  return { rows: new Map(), compared: [], near: new Map(), without: [], failed: { count: 0, reason: '' } };
}

/** Neighbours kept for each row. More would cost the database more, and few rows have so many copies. */
export const keptNeighbours = 10;

/** If this many searches fail one after the other, the database counts as unreachable. */
const failuresInARow = 10;

export interface NearestRow extends ScannedRow {
  distance: number;
}

/**
 * Searches for the nearest rows of each row, with a few searches at a time. A failed search is counted, and the
 * comparison continues. If all searches fail, or `failuresInARow` of them one after the other, the comparison ends with
 * the error.
 */
export async function compareRows(
  scan: Scan,
  options: {
    nearest(row: ScannedRow, signal: AbortSignal): Promise<NearestRow[]>;
    atOnce: number;
    signal: AbortSignal;
    onProgress(compared: number): void;
  },
): Promise<void> {
  const { signal, nearest } = options;
  let next = 0;
  let done = 0;
  let inARow = 0;
  let hasEnded = false;
  const one = async () => {
    while (next < scan.compared.length && !hasEnded) {
      signal.throwIfAborted();
      const row = scan.rows.get(scan.compared[next++] ?? '');
      if (!row) continue;
      try {
        keepNearest(scan, row, await nearest(row, signal));
        inARow = 0;
      } catch (error) {
        signal.throwIfAborted();
        inARow += 1;
        if (inARow >= failuresInARow || scan.compared.length === inARow) {
          hasEnded = true;
          throw error;
        }
        scan.failed.count += 1;
        scan.failed.reason = error instanceof Error ? error.message : String(error);
      }
      done += 1;
      options.onProgress(done);
    }
  };
  await Promise.all(Array.from({ length: options.atOnce }, one));
}

function keepNearest(scan: Scan, { id }: ScannedRow, found: NearestRow[]): void {
  const others = found.filter((row) => row.id !== id).slice(0, keptNeighbours);
  for (const { distance: _, ...row } of others) if (!scan.rows.has(row.id)) scan.rows.set(row.id, row);
  scan.near.set(
    id,
    others.map((row) => ({ id: row.id, distance: row.distance })),
  );
}
