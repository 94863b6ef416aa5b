import { DriverError } from './errors.ts';
import { comparable, compareCells, memoryFilter } from './memory-filter.ts';
import { suggestName } from './nearest-name.ts';
import type { BrowseRequest, CountRequest, Page } from './row-requests.ts';
import { type Cell, type ColumnHead, type RowSet, rowSetFromCells } from './values.ts';

/** A table in a driver's memory, for example the rows of a parsed file. */
export interface MemoryTable {
  columns: ColumnHead[];
  /** The names of the columns that identify a row. */
  key: string[];
  /** Cells in the order of `columns`. */
  rows: Cell[][];
}

/** A page of the rows that match the filters. They are sorted, and equal rows keep the order of the table. */
export function browseMemory(table: MemoryTable, request: BrowseRequest): Page {
  const rows = sorted(table, matching(table, request), request.sort);
  const { limit, offset } = request;
  return { rows: select(table, rows.slice(offset, offset + limit), request.columns) };
}

export function countMemory(table: MemoryTable, request: CountRequest): number {
  return matching(table, request).length;
}

/** The rows that match the filters. All filters are checked before any row is read. */
function matching(table: MemoryTable, { filters, match }: CountRequest): Cell[][] {
  const tests = filters.map((filter) => {
    const index = indexOf(table, filter.column);
    const test = memoryFilter(filter, table.columns[index]!);
    return (row: Cell[]) => test(row[index] ?? null);
  });
  if (tests.length === 0) return table.rows;
  return table.rows.filter((row) =>
    match === 'all' ? tests.every((test) => test(row)) : tests.some((test) => test(row)),
  );
}

function sorted(table: MemoryTable, rows: Cell[][], sort: BrowseRequest['sort']): Cell[][] {
  if (sort.length === 0) return rows;
  const orders = sort.map(({ column, order }) => {
    const index = indexOf(table, column);
    return { index, type: table.columns[index]!.type, sign: order === 'asc' ? 1 : -1 };
  });
  const keyed = rows.map((row) => ({
    row,
    keys: orders.map(({ index, type }) => comparable(row[index] ?? null, type)),
  }));
  keyed.sort((a, b) => {
    for (const [place, { sign }] of orders.entries()) {
      const difference = sign * order(a.keys[place]!, b.keys[place]!);
      if (difference !== 0) return difference;
    }
    return 0;
  });
  return keyed.map(({ row }) => row);
}

/** The ascending order: NULL, then booleans, numbers, JSON, texts, bytes. */
function order(a: Cell, b: Cell): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  const difference = compareCells(a, b);
  if (difference !== undefined) return difference;
  const [left, right] = [kindOf(a), kindOf(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

function kindOf(cell: Cell): string {
  if (typeof cell === 'bigint') return 'number';
  // `compareCells` cannot order NaN. Here NaN sorts as the largest number.
  if (Number.isNaN(cell)) return 'number, NaN';
  return cell instanceof Uint8Array ? 'z bytes' : typeof cell;
}

function select(table: MemoryTable, rows: Cell[][], names: string[] | undefined): RowSet {
  if (!names) return rowSetFromCells(table.columns, rows);
  const wanted = new Set([...table.key, ...names].map((name) => indexOf(table, name)));
  const indexes = [...wanted].sort((a, b) => a - b);
  return rowSetFromCells(
    indexes.map((index) => table.columns[index]!),
    rows.map((row) => indexes.map((index) => row[index] ?? null)),
  );
}

function indexOf({ columns }: MemoryTable, name: string): number {
  const index = columns.findIndex((column) => column.name === name);
  if (index >= 0) return index;
  throw new DriverError({
    code: 'invalid_argument',
    message: `There is no column "${name}"`,
    hint: suggestName(
      name,
      columns.map((column) => column.name),
    ),
  });
}
