import { cellAt, type RowKey, type RowSet } from '@trestle/driver-kit';
import { keyText } from '../../data/rows/key-text.ts';
import { titleText } from '../../data/rows/row-title.ts';
import type { NearestRow, Scan, ScannedRow } from './scan.ts';

interface RowColumns {
  key: string[];
  title: string | undefined;
}

/** The rows of an answer, with key and title. */
function scannedRows(rows: RowSet, { key, title }: RowColumns): ScannedRow[] {
  const at = (name: string | undefined) => rows.columns.findIndex((column) => column.name === name);
  const keyAt = key.map(at);
  const titleAt = at(title);
  return Array.from({ length: rows.rowCount }, (_, row) => {
    const cells: RowKey = Object.fromEntries(
      key.map((name, index) => [name, cellAt(rows, keyAt[index]!, row)]),
    );
    const id = keyText(cells);
    const named = titleAt < 0 ? null : cellAt(rows, titleAt, row);
    return { id, key: cells, title: titleText(named) ?? id };
  });
}

/** The rows in the result of a search, with their distances. */
export function nearestRows(rows: RowSet, columns: RowColumns): NearestRow[] {
  const measure = rows.columns.findIndex(({ isMeasure }) => isMeasure);
  return scannedRows(rows, columns).map((row, at) => ({
    ...row,
    // NULL is not a distance. If it counted as 0, the row would look like a duplicate.
    distance: measure < 0 ? Number.NaN : Number(cellAt(rows, measure, at) ?? Number.NaN),
  }));
}

/** Packs the vectors of an exact comparison, in the order of the rows. */
export class VectorPack {
  dimensions = 0;
  #parts: Float32Array[] = [];

  add(part: Float32Array, dimensions: number): void {
    if (this.dimensions === 0) this.dimensions = dimensions;
    this.#parts.push(part);
  }

  /** Vectors of another length than the first cannot be compared. */
  fits(dimensions: number): boolean {
    return this.dimensions === 0 || this.dimensions === dimensions;
  }

  whole(): Float32Array {
    const whole = new Float32Array(this.#parts.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const part of this.#parts) {
      whole.set(part, at);
      at += part.length;
    }
    this.#parts = [];
    return whole;
  }
}

/**
 * Adds a batch of rows: to `scan.compared` if they have a vector that can be compared, otherwise to `scan.without`.
 * `pack` stores the vectors for an exact comparison, and only vectors of one length fit. Without `pack`, any vector
 * can be compared.
 */
export function takeBatch(
  scan: Scan,
  rows: RowSet,
  columns: RowColumns & { vector: string },
  pack?: VectorPack,
): void {
  const values = rows.values[rows.columns.findIndex(({ name }) => name === columns.vector)];
  for (const [at, row] of scannedRows(rows, columns).entries()) {
    const vector = vectorAt(values, at, { exact: pack !== undefined });
    if (!vector || (pack && !pack.fits(vector.length))) {
      scan.without.push(row);
      continue;
    }
    scan.rows.set(row.id, row);
    scan.compared.push(row.id);
    if (!pack) continue;
    pack.add(vector.slice(), vector.length);
    scan.dimensions = pack.dimensions;
  }
}

function vectorAt(
  values: RowSet['values'][number] | undefined,
  row: number,
  { exact }: { exact: boolean },
): Float32Array | undefined {
  if (values?.kind === 'vectors') {
    const { dimensions, floats, present } = values;
    if (dimensions === 0 || present[row] === 0) return undefined;
    return floats.subarray(row * dimensions, (row + 1) * dimensions);
  }
  const cell = values?.kind === 'cells' ? values.cells[row] : undefined;
  if (!Array.isArray(cell) || cell.length === 0) return undefined;
  if (typeof cell[0] === 'number') return Float32Array.from(cell as number[]);
  // A list of lists is a multi-vector. Only the database can compare multi-vectors, so a placeholder is enough here.
  return exact ? undefined : new Float32Array(1);
}
