import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite';
import { type RescuedTable, rescuedTables } from './rescued-tables.ts';
import type { Storage } from './storage.ts';
import { isConstraint, isUnreadable } from './storage-errors.ts';

/** The rows of a damaged file that were taken over. */
export interface Rescued {
  connections: number;
  /** Every row of the tables that are taken over could be read and stored. */
  isWhole: boolean;
}

/** Copies the rows of a damaged file that can still be read. The caller holds the transaction. */
export function takeOver(source: DatabaseSync, storage: Storage): Rescued {
  const rescued: Rescued = { connections: 0, isWhole: true };
  const lose = () => {
    rescued.isWhole = false;
  };
  for (const table of rescuedTables) {
    const insert = inserter(storage, table.name);
    // A later migration creates the table.
    if (!insert) continue;
    for (const row of rowsOf(source, table, lose)) {
      if (!insert(row)) lose();
      else if (table.name === 'connections') rescued.connections++;
    }
  }
  keepSequences(source, storage);
  return rescued;
}

type SourceRow = Record<string, SQLOutputValue>;

/** Returns a function that stores one row, and returns false if the table refuses it. */
function inserter(storage: Storage, table: string): ((row: SourceRow) => boolean) | null {
  const columns = storage.all('SELECT name FROM pragma_table_info(?)', table).map(({ name }) => String(name));
  if (columns.length === 0) return null;
  const places = columns.map(() => '?').join(', ');
  const known = new Set(columns);
  return (row) => {
    // An older file has fewer columns. Those that are missing get their defaults.
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

/** Up to the first damaged page, and then from the end back to the last damaged page. */
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
      // A damaged number may be larger than JavaScript can hold.
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

/** Numbers of deleted rows must not be given again: a window may still know one. */
function keepSequences(source: DatabaseSync, storage: Storage): void {
  const names = new Set(rescuedTables.map(({ name }) => name));
  try {
    for (const { name, seq } of source.prepare('SELECT name, seq FROM sqlite_sequence').all()) {
      if (names.has(String(name)) && Number.isSafeInteger(seq)) raise(storage, String(name), Number(seq));
    }
  } catch (error) {
    if (!isUnreadable(error)) throw error;
  }
}

function raise(storage: Storage, table: string, sequence: number): void {
  const { changes } = storage.run(
    'UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?',
    sequence,
    table,
  );
  if (changes === 0) storage.run('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)', table, sequence);
}
