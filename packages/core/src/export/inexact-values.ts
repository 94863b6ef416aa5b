import {
  amount,
  type Cell,
  type ColumnHead,
  cellAt,
  cellToText,
  exactJson,
  parseCell,
  type RowSet,
  type TableDescription,
} from '@trestle/driver-kit';
import { fitText } from '../imports/fit-cell.ts';
import { type ExportFormat, wholeCell } from './export-format.ts';
import { fitsParquet } from './parquet-writer.ts';

/** Values of a column that a file of this format would not give back. */
export interface InexactColumn {
  column: string;
  count: number;
  /** For people, such as `2 texts, 1 binary value`. */
  kinds: string;
}

/**
 * The columns with values that an import of the file may read as another value, or as one of another type. A table with
 * `mixed` has such values in each column, and a CSV file with one column. Parquet holds no parts of a date below a
 * microsecond. JSON carries every value.
 */
export function unsureColumns(
  format: ExportFormat,
  columns: string[],
  table: Pick<TableDescription, 'mixed' | 'columns'>,
): string[] {
  if (format !== 'csv' && format !== 'parquet') return [];
  if (table.mixed || (format === 'csv' && columns.length === 1)) return columns;
  if (format === 'csv') return [];
  const dates = table.columns.filter(({ type }) => type === 'date').map(({ name }) => name);
  return columns.filter((name) => dates.includes(name));
}

/** Reads all rows, and counts the values that the format cannot carry. */
export async function inexactValues(
  source: AsyncIterable<RowSet>,
  format: ExportFormat,
): Promise<InexactColumn[]> {
  const counter = inexactCounter(format);
  for await (const rows of source) counter.add(rows);
  return counter.columns();
}

/** Counts the values of rows that a file of this format would not give back. */
export function inexactCounter(format: ExportFormat): {
  add(rows: RowSet): void;
  columns(): InexactColumn[];
} {
  const found = new Map<string, Map<string, number>>();
  return {
    add(rows) {
      const isAlone = rows.columns.length === 1;
      rows.columns.forEach((head, column) => {
        // A vector is written with all its digits.
        if (rows.values[column]?.kind === 'vectors') return;
        for (let row = 0; row < rows.rowCount; row++) {
          const cell = cellAt(rows, column, row);
          if (comesBack(cell, head, { format, isAlone })) continue;
          const kinds = found.getOrInsertComputed(head.name, () => new Map<string, number>());
          const kind = kindOf(cell, head);
          kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
        }
      });
    },
    columns: () =>
      Array.from(found, ([column, kinds]) => ({
        column,
        count: Array.from(kinds.values()).reduce((sum, one) => sum + one, 0),
        kinds: Array.from(kinds, ([kind, count]) => amount(count, kind)).join(', '),
      })),
  };
}

/** What the user must know before the file is written. Empty if the file carries every value. */
export function inexactWords(columns: InexactColumn[], format: ExportFormat): string[] {
  if (columns.length === 0) return [];
  const name = format === 'csv' ? 'CSV' : 'Parquet';
  return [
    ...columns.map(
      ({ column, count, kinds }) =>
        `${name} does not keep ${amount(count, 'value')} of the column ${column} exactly (${kinds}).`,
    ),
    format === 'csv'
      ? 'An import of the file may read them as values of another type. JSON and JSON lines keep them.'
      : 'These columns are written as text. JSON and JSON lines keep the values.',
  ];
}

function comesBack(
  cell: Cell,
  head: ColumnHead,
  { format, isAlone }: { format: ExportFormat; isAlone: boolean },
): boolean {
  // An import skips an empty line.
  if (cell === null) return format !== 'csv' || !isAlone;
  if (format === 'parquet') return fitsParquet(cell, head);
  if (format !== 'csv') return true;
  const { type, apart = false } = head;
  if (typeof cell === 'string' && type === 'text') return true;
  if (Number.isSafeInteger(cell) && (type === 'int' || type === 'number') && cell !== 0) return true;
  const fitted = fitText(cellToText(wholeCell(cell, head)), { type, isApart: apart });
  return fitted.ok && isSame(fitted.cell, cell, apart);
}

function isSame(one: Cell, other: Cell, apart: boolean): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one === 'object' && typeof other === 'object') {
    if (one instanceof Uint8Array && other instanceof Uint8Array) return Buffer.from(one).equals(other);
    if (one === null || other === null || one instanceof Uint8Array || other instanceof Uint8Array)
      return false;
    return exactJson(one) === exactJson(other);
  }
  const areNumbers = isNumber(one) && isNumber(other);
  // SQLite keeps a REAL of -2^63 apart from the INTEGER in every column.
  if (areNumbers && typeof one !== typeof other && Number(one) === -(2 ** 63)) return false;
  // The column converts an integer to the REAL of the same value, or the other way round.
  return (
    areNumbers && !apart && one !== 0 && Number(one) === Number(other) && exactOf(one) === exactOf(other)
  );
}

function isNumber(cell: Cell): cell is number | bigint {
  return typeof cell === 'number' || typeof cell === 'bigint';
}

function exactOf(number: number | bigint): bigint | number {
  return Number.isInteger(number) ? BigInt(number) : number;
}

function kindOf(cell: Cell, { type }: ColumnHead): string {
  switch (typeof cell) {
    case 'string':
      return type === 'date' && parseCell(cell, 'date').ok ? 'sub-microsecond date' : 'text';
    case 'bigint':
      return 'integer';
    case 'number':
      return 'floating-point number';
    case 'boolean':
      return 'boolean';
    default:
      return cell === null ? 'NULL' : cell instanceof Uint8Array ? 'binary value' : 'list or object';
  }
}
