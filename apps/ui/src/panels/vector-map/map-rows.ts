import { type Cell, cellAt, cellToText, type RowKey, type RowSet } from '@trestle/driver-kit';

/** The rows of a map: keys, and the values for titles and colours, in the order of the points. */
export class MapRows {
  readonly keys: RowKey[] = [];
  /** Values by column, in the same order as `keys`. */
  readonly values = new Map<string, Cell[]>();
  /** The number of rows without a usable vector: it is missing, has another length, or contains NaN or an infinity. */
  without = 0;
  readonly #columns: string[];
  readonly #key: string[];
  /** The length of the first usable vector. The layout can place only vectors of one length. */
  #dimensions = 0;

  constructor(key: string[], columns: string[]) {
    this.#key = key;
    this.#columns = columns;
    for (const column of columns) this.values.set(column, []);
  }

  get count(): number {
    return this.keys.length;
  }

  /** The number of rows that were read, with a place on the map or not. */
  get read(): number {
    return this.count + this.without;
  }

  /** The key as text, for example to find the point of a row that a search returned. */
  static idOf(key: RowKey): string {
    return Object.values(key).map(cellToText).join(' · ');
  }

  /** The point of each row, by the text of its key. */
  pointsById(): Map<string, number> {
    return new Map(this.keys.map((key, point) => [MapRows.idOf(key), point]));
  }

  /**
   * Adds the rows of a batch that have a usable vector, and returns these vectors one after the other. Undefined if the
   * batch has no vectors, or vectors of another length than the map's.
   */
  take(rows: RowSet, vector: string): { dimensions: number; vectors: Float32Array } | undefined {
    const at = rows.columns.findIndex(({ name }) => name === vector);
    const found = rows.values[at];
    const isOther =
      found?.kind === 'vectors' && this.#dimensions > 0 && found.dimensions !== this.#dimensions;
    if (found?.kind !== 'vectors' || found.dimensions === 0 || isOther) {
      this.without += rows.rowCount;
      return undefined;
    }
    const { dimensions, floats, present } = found;
    const sources = this.#columns.map((column) => rows.columns.findIndex(({ name }) => name === column));
    const keys = this.#key.map((column) => rows.columns.findIndex(({ name }) => name === column));
    const packed = new Float32Array(rows.rowCount * dimensions);
    let taken = 0;
    for (let row = 0; row < rows.rowCount; row++) {
      const one = floats.subarray(row * dimensions, (row + 1) * dimensions);
      if (!present[row] || !hasOnlyFinite(one)) {
        this.without++;
        continue;
      }
      packed.set(one, taken * dimensions);
      taken++;
      this.#dimensions = dimensions;
      this.keys.push(
        Object.fromEntries(this.#key.map((name, index) => [name, cellAt(rows, keys[index]!, row)])),
      );
      this.#columns.forEach((column, index) => {
        this.values
          .get(column)!
          .push(sources[index]! < 0 ? null : shortened(cellAt(rows, sources[index]!, row)));
      });
    }
    return { dimensions, vectors: packed.subarray(0, taken * dimensions) };
  }

  /** Packs the rows by column: with the column names in each row, the result was three times as long. */
  pack(): PackedRows {
    return {
      keys: this.#key.map((name) => this.keys.map((key) => key[name] ?? null)),
      values: this.#columns.map((name) => this.values.get(name)!),
      without: this.without,
    };
  }

  static unpack(packed: PackedRows, key: string[], columns: string[]): MapRows {
    const rows = new MapRows(key, columns);
    const count = packed.keys[0]?.length ?? 0;
    for (let row = 0; row < count; row++)
      rows.keys.push(Object.fromEntries(key.map((name, index) => [name, packed.keys[index]![row]!])));
    columns.forEach((name, index) => {
      rows.values.set(name, packed.values[index]!);
    });
    rows.without = packed.without;
    return rows;
  }
}

export interface PackedRows {
  keys: Cell[][];
  values: Cell[][];
  without: number;
}

/**
 * One NaN or Infinity would make the positions of all rows NaN. The sum of a vector's finite float32 values cannot
 * overflow a double, so the sum is finite if and only if each value is finite.
 */
function hasOnlyFinite(vector: Float32Array): boolean {
  let sum = 0;
  for (let at = 0; at < vector.length; at++) sum += vector[at]!;
  return Number.isFinite(sum);
}

/**
 * A hundred thousand long values would fill the page's memory. Names and labels need only the start of a text, and the
 * first value of a list.
 */
function shortened(cell: Cell): Cell {
  const one = Array.isArray(cell) ? ((cell[0] ?? null) as Cell) : cell;
  if (one instanceof Uint8Array) return one.slice(0, 300);
  const isLong = typeof one === 'string' || (typeof one === 'object' && one !== null);
  return isLong ? cellToText(one).slice(0, 300).toWellFormed() : one;
}
