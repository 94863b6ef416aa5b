import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';

/**
 * Trestle stores no integer above `largest` or below `-largest`, so such a number is damage. `node:sqlite` throws
 * ERR_OUT_OF_RANGE when it is read, and SQLite's own checks accept it.
 */
const largest = Number.MAX_SAFE_INTEGER;

export function isLarge(value: SQLOutputValue | undefined): boolean {
  return typeof value === 'bigint' && (value > BigInt(largest) || value < -BigInt(largest));
}

/** The first table that has an integer beyond ±`largest`, or null. May read every row. */
export function tableWithLargeNumber(database: DatabaseSync): string | null {
  const columns = database
    .prepare(
      `SELECT tables.name AS name, columns.name AS column FROM sqlite_schema AS tables,
         pragma_table_info(tables.name) AS columns WHERE tables.type = 'table'`,
    )
    .all();
  const found = columns.find(({ name, column }) =>
    database
      .prepare(
        `SELECT 1 FROM "${name}" WHERE typeof("${column}") = 'integer'
           AND "${column}" NOT BETWEEN -${largest} AND ${largest} LIMIT 1`,
      )
      .get(),
  );
  return found ? String(found.name) : null;
}
