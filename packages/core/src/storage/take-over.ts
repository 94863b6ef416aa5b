import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite';
import { isLarge } from './large-numbers.ts';
import { type RescuedTable, rescuedTables } from './rescued-tables.ts';
import type { Storage } from './storage.ts';
import { isConstraint, isUnreadable } from './storage-errors.ts';

/** The result of a rescue: the number of connections that were taken over, and the losses. */
export interface Rescued {
  connections: number;
  /** The kinds of entries that could not all be read and stored. */
  lost: string[];
}

/** Copies the rows of `rescuedTables` that can still be read. Writes in the caller's transaction. */
export function takeOver(source: DatabaseSync, storage: Storage): Rescued {
  const lost = new Set<string>();
  let connections = 0;
  for (const table of rescuedTables) {
    const insert = inserter(storage, table.name);
    // The new file has the damaged file's version, which lacks this table. A later migration creates it.
    if (!insert) continue;
    const lose = () => lost.add(table.entries);
    for (const row of rowsOf(source, table, lose)) {
      if (!insert(row)) lose();
      else if (table.name === 'connections') connections++;
    }
  }
  keepSequences(source, storage);
  return { connections, lost: [...lost] };
}

/** The result for a file of which nothing can be read. */
export function tookNothing(): Rescued {
  return { connections: 0, lost: [...new Set(rescuedTables.map(({ entries }) => entries))] };
}

type SourceRow = Record<string, SQLOutputValue>;

/**
 * Returns a function that stores one row, or null if the new file has no such table. The function returns false if the
 * table refuses the row, or if the row has a number that the app could not read back.
 */
function inserter(storage: Storage, table: string): ((row: SourceRow) => boolean) | null {
  const columns = storage.all('SELECT name FROM pragma_table_info(?)', table).map(({ name }) => String(name));
  if (columns.length === 0) return null;
  const places = columns.map(() => '?').join(', ');
  const known = new Set(columns);
  return (row) => {
    if (Object.values(row).some(isLarge)) return false;
    // If the version of the damaged file cannot be read, the new file has the newest tables. Their additional columns
    // get their defaults.
    const names = Object.keys(row).filter((name) => known.has(name));
    const holes = names.length === columns.length ? places : names.map(() => '?').join(', ');
    try {
      storage.run(
        `INSERT INTO ${table} (${names.join(', ')}) VALUES (${holes})`,
        ...names.map((name) => row[name] as SQLInputValue),
      );
      return true;
    } catch (error) {
      if (!isConstraint(error)) throw error;
      return false;
    }
  };
}

/** Reads up to the first damaged page, and then from the end back to the last damaged page. */
function* rowsOf(
  source: DatabaseSync,
  { name, where }: RescuedTable,
  lose: () => void,
): Generator<SourceRow> {
  const condition = where === undefined ? '' : `AND ${where}`;
  let last = smallest;
  let isBroken = false;
  const read = function* (order: 'ASC' | 'DESC'): Generator<SourceRow> {
    try {
      const statement = source.prepare(
        `SELECT rowid AS ${place}, * FROM ${name} WHERE rowid > ? ${condition} ORDER BY rowid ${order}`,
      );
      // Without this, one number that is too large would end the reading of its table.
      statement.setReadBigInts(true);
      for (const { [place]: rowid, ...row } of statement.iterate(last)) {
        if (order === 'ASC') last = rowid as bigint;
        yield row;
      }
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      isBroken = true;
      lose();
    }
  };
  yield* read('ASC');
  if (isBroken) yield* read('DESC');
}

const place = 'rescue_rowid';
const smallest = -(2n ** 63n);

/** The row ids of deleted rows must not be used again: a window may still know one. */
function keepSequences(source: DatabaseSync, storage: Storage): void {
  const names = new Set(rescuedTables.map(({ name }) => name));
  try {
    const statement = source.prepare('SELECT name, seq FROM sqlite_sequence');
    statement.setReadBigInts(true);
    for (const { name, seq } of statement.all()) {
      if (names.has(String(name)) && typeof seq === 'bigint' && !isLarge(seq))
        raise(storage, String(name), seq);
    }
  } catch (error) {
    if (!isUnreadable(error)) throw error;
  }
}

function raise(storage: Storage, table: string, sequence: bigint): void {
  const { changes } = storage.run(
    'UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?',
    sequence,
    table,
  );
  if (changes === 0) storage.run('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)', table, sequence);
}
