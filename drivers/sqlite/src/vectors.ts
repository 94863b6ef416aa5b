import type { ColumnValues, RowSet, TableDescription } from '@trestle/driver-kit';
import type { Handle } from './handle.ts';
import { queryRows } from './query.ts';
import { identifier, sql } from './sql.ts';
import type { Table } from './table.ts';
import type { Stored } from './values.ts';

/** Shorter lists of numbers are usually coordinates. */
const leastDimensions = 4;
/** Vectors are usually shorter. */
const mostBytes = 1024 * 1024;
const rowsTried = 12;

/**
 * Marks the columns that contain vectors: lists of numbers as JSON, or float32 values as a blob. SQLite has no
 * vector type, so the first rows decide. Views and virtual tables are left out: they may have to read whole tables
 * before they return their first row.
 */
export function withVectorColumns(handle: Handle, { description, virtual }: Table): TableDescription {
  if (description.kind === 'view' || virtual) return description;
  const candidates = description.columns.filter(({ type, inKey }) => canHoldVectors(type) && !inKey);
  const found = new Set(
    candidates.map(({ name }) => name).filter((name) => holdsVectors(handle, description.name, name)),
  );
  if (found.size === 0) return description;
  return {
    ...description,
    columns: description.columns.map((column) =>
      found.has(column.name) ? { ...column, vector: { distance: 'cosine' } } : column,
    ),
  };
}

function canHoldVectors(type: string): boolean {
  return type === 'text' || type === 'bytes' || type === 'any';
}

function holdsVectors(handle: Handle, table: string, column: string): boolean {
  const name = identifier(column);
  // SQLite knows the length of a stored value without reading it. Values above `mostBytes` are not read.
  const value = sql`CASE WHEN octet_length(${name}) <= ${BigInt(mostBytes)} THEN ${name} END`;
  // Only the first rows are read: a mostly empty column must not cause a scan of the whole table.
  const first = sql`SELECT ${value} AS value FROM ${identifier(table)} LIMIT 200`;
  const query = sql`SELECT value FROM (${first}) WHERE value IS NOT NULL LIMIT ${BigInt(rowsTried)}`;
  try {
    const vectors = queryRows(handle, query).map(([value]) => vectorIn(value ?? null));
    const dimensions = vectors[0]?.length ?? 0;
    return dimensions >= leastDimensions && vectors.every((vector) => vector?.length === dimensions);
  } catch {
    // The values cannot be read, for example if a generated column calls a function that this SQLite does not have.
    // The table can still be described.
    return false;
  }
}

/**
 * Turns the requested columns of an export into vectors, batch by batch. The first vector of a column sets the length.
 * Vectors of another length are left out, in later batches too.
 */
export class VectorReader {
  readonly #dimensions = new Map<string, number>();
  readonly #columns: ReadonlySet<string>;

  constructor(columns: string[] | undefined) {
    this.#columns = new Set(columns);
  }

  /** The rows with the requested columns as vectors. */
  read(rows: RowSet): RowSet {
    if (this.#columns.size === 0) return rows;
    const isVector = rows.columns.map(({ name }) => this.#columns.has(name));
    return {
      ...rows,
      columns: rows.columns.map((head, at) => (isVector[at] ? { ...head, type: 'vector' } : head)),
      values: rows.values.map((values, at) =>
        isVector[at] && values.kind === 'cells'
          ? this.#pack(rows.columns[at]!.name, values.cells as Stored[])
          : values,
      ),
    };
  }

  #pack(column: string, cells: Stored[]): ColumnValues {
    const vectors = cells.map(vectorIn);
    const known = this.#dimensions.get(column) ?? vectors.find((vector) => vector !== null)?.length ?? 0;
    if (known > 0) this.#dimensions.set(column, known);
    const floats = new Float32Array(cells.length * known);
    const present = new Uint8Array(cells.length);
    vectors.forEach((vector, row) => {
      if (vector?.length !== known || known === 0) return;
      floats.set(vector, row * known);
      present[row] = 1;
    });
    return { kind: 'vectors', dimensions: known, floats, present };
  }
}

function vectorIn(value: Stored): ArrayLike<number> | null {
  if (typeof value === 'string') return listIn(value);
  return value instanceof Uint8Array ? floatsIn(value) : null;
}

function listIn(text: string): number[] | null {
  if (!/^\s*\[\s*[-\d]/.test(text)) return null;
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) && list.every((one) => Number.isFinite(one)) ? list : null;
  } catch {
    return null;
  }
}

/**
 * The float32 values of a blob, little-endian as sqlite-vec and numpy write them. Null if the length is 0 or no
 * multiple of 4, or if a number is NaN, very large or very near 0: the bytes are then probably something else.
 */
function floatsIn(bytes: Uint8Array): Float32Array | null {
  if (bytes.byteLength === 0 || bytes.byteLength % 4 !== 0) return null;
  const floats = new Float32Array(bytes.byteLength / 4);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < floats.length; at++) {
    const value = view.getFloat32(at * 4, true);
    const size = Math.abs(value);
    if (!(size <= 1e6) || (size !== 0 && size < 1e-20)) return null;
    floats[at] = value;
  }
  return floats;
}
