import type { Handle } from './handle.ts';
import { queryRows } from './query.ts';
import { type Fragment, sql } from './sql.ts';

/** The indexes that the statement, its triggers and its foreign keys scan. */
export interface ScannedIndexes {
  own: ReadonlySet<string>;
  /** Those of triggers and of foreign keys that change other rows. */
  caused: ReadonlySet<string>;
}

/**
 * Reads the bytecode, because EXPLAIN QUERY PLAN leaves out triggers and foreign keys. It also depends on `values`:
 * SQLite uses a partial index only if a value fits its condition. https://sqlite.org/opcode.html
 */
export function scannedIndexes(handle: Handle, text: string, values: Fragment['values']): ScannedIndexes {
  const roots = new Map(
    queryRows(handle, sql`SELECT rootpage, name FROM sqlite_schema WHERE type = 'index'`).map(
      ([page, name]) => [page as bigint, String(name)],
    ),
  );
  const steps = handle.db.prepare(`EXPLAIN ${text}`).all(...values) as unknown as unknown[][];
  const scanned = { own: new Set<string>(), caused: new Set<string>() };
  // The cursor numbers of each program begin at 0. The first program is the statement itself.
  let program = -1;
  let cursors = new Map<unknown, Set<string>>();
  for (const [address, opcode, first, second] of steps) {
    if (address === 0n) {
      program++;
      cursors = new Map();
    }
    if (opens.has(String(opcode))) {
      const name = roots.get(second as bigint);
      if (name !== undefined) cursors.set(first, (cursors.get(first) ?? new Set()).add(name));
    } else if (scans.has(String(opcode))) {
      for (const name of cursors.get(first) ?? []) (program === 0 ? scanned.own : scanned.caused).add(name);
    }
  }
  return scanned;
}

const opens = new Set(['OpenRead', 'OpenWrite', 'ReopenIdx']);

/** A statement that writes opens every index of its table, and scans only some. */
const scans = new Set(['Rewind', 'Last', 'SeekGE', 'SeekGT', 'SeekLE', 'SeekLT', 'Next', 'Prev']);
