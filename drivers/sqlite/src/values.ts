import {
  type Cell,
  type ColumnHead,
  cutCell,
  DriverError,
  doubleOf,
  exactJson,
  maxCellBytes,
  type RowSet,
} from '@trestle/driver-kit';

/** The values that node:sqlite binds, and those that it returns with `readBigInts`. */
export type Stored = null | string | number | bigint | Uint8Array;

/**
 * node:sqlite binds a JavaScript number as REAL. A column that does not convert values would store 5 as 5.0. So safe
 * integers, except -0, are bound as INTEGER. With `exact`, an integer is a bigint, and a number is a REAL.
 */
export function toStored(cell: Cell, { exact = false } = {}): Stored {
  if (cell === null || typeof cell === 'string' || cell instanceof Uint8Array) return cell;
  if (typeof cell === 'boolean') return cell ? 1n : 0n;
  if (typeof cell === 'bigint') return withinInt64(cell);
  if (typeof cell === 'number')
    return !exact && Number.isSafeInteger(cell) && !Object.is(cell, -0) ? BigInt(cell) : cell;
  return exactJson(cell);
}

function fromExact(value: Stored): Cell {
  return value;
}

export function fromStored(value: Stored): Cell {
  if (typeof value !== 'bigint') return value;
  return value >= minSafe && value <= maxSafe ? Number(value) : value;
}

/** Cuts the large values of a row, so that they do not fill the memory. */
export function cutRow(row: Stored[]): Stored[] {
  if (!row.some(isLarge)) return row;
  return row.map((value) => (isLarge(value) ? (cutCell(value) as Stored) : value));
}

function isLarge(value: Stored): value is string | Uint8Array {
  return (typeof value === 'string' || value instanceof Uint8Array) && value.length > maxCellBytes;
}

/** Turns rows, which are arrays of values, into columns. */
export function toRowSet(columns: ColumnHead[], rows: Iterable<Stored[]>): RowSet {
  const cells: Cell[][] = columns.map(() => []);
  let rowCount = 0;
  const readers = columns.map(({ apart }) => (apart ? fromExact : fromStored));
  for (const row of rows) {
    for (let index = 0; index < cells.length; index++)
      cells[index]!.push(readers[index]!(row[index] ?? null));
    rowCount++;
  }
  return { rowCount, columns, values: cells.map((column) => ({ kind: 'cells', cells: column })) };
}

const minSafe = BigInt(Number.MIN_SAFE_INTEGER);
const maxSafe = BigInt(Number.MAX_SAFE_INTEGER);

/** SQLite has no larger integers. It reads a larger number as a REAL, which must not round it. */
function withinInt64(value: bigint): bigint | number {
  if (BigInt.asIntN(64, value) === value) return value;
  const real = doubleOf(value);
  if (real !== undefined) return real;
  throw new DriverError({
    code: 'invalid_argument',
    message: `${value} is outside the range of a 64-bit integer, and a REAL would round it`,
  });
}
