import { type Cell, cellAt, isCutCell, type RowSet } from '@trestle/driver-kit';
import { barLengthsOf } from '../../data/rows/measure.ts';
import {
  type CellDisplay,
  displayCell,
  displayMeasure,
  displayReferences,
  displayStored,
  displayUnset,
  pendingDisplay,
} from './cell-display.ts';
import type { lineOffsets, PlacedColumn } from './layout.ts';
import type { DataGridProps, GridLine } from './types.ts';

/** The content of the grid: a row set, the lines (its rows and the new rows), and the columns at their positions. */
export interface GridModel {
  rows: RowSet;
  columns: PlacedColumn[];
  lines: GridLine[];
  offsets: ReturnType<typeof lineOffsets>;
  pinnedWidth: number;
  centreWidth: number;
  gutterWidth: number;
  firstRowNumber: number;
  deferredCell: DataGridProps['deferredCell'];
}

/** The value of a cell; undefined if it is not loaded yet or left to the database's default. */
export function cellOf(model: GridModel, line: number, column: PlacedColumn): Cell | undefined {
  const { at, edited, saved } = model.lines[line] ?? {};
  if (edited && Object.hasOwn(edited, column.name)) return edited[column.name];
  if (saved && Object.hasOwn(saved, column.name)) return saved[column.name];
  if (at === undefined) return undefined;
  if (column.source < 0) return model.deferredCell?.(line, column.name);
  return cellAt(model.rows, column.source, at);
}

export function displayOf(
  { rows, deferredCell }: Pick<GridModel, 'rows' | 'deferredCell'>,
  line: GridLine,
  index: number,
  column: PlacedColumn,
): CellDisplay {
  const { at, edited, saved } = line;
  for (const values of [edited, saved]) {
    if (values && Object.hasOwn(values, column.name)) {
      return displayIn(column, values[column.name] as Cell);
    }
  }
  if (at === undefined) return displayUnset(column);
  const values = rows.values[column.source];
  if (values && column.isMeasure) {
    return displayMeasure(cellAt(rows, column.source, at), barLengthsOf(rows, column.source));
  }
  if (values && column.references) return displayIn(column, cellAt(rows, column.source, at));
  if (values) return displayStored(values, at, column.type);
  const cell = deferredCell?.(index, column.name);
  return cell === undefined ? pendingDisplay : displayCell(cell, column.type);
}

function displayIn(column: PlacedColumn, cell: Cell): CellDisplay {
  const links = column.references?.(cell);
  return links ? displayReferences(links) : displayCell(cell, column.type);
}

/** Why a cell cannot be changed; null if it can. `whole` is the reason why the whole grid is read-only. */
export function refusalOf(
  model: GridModel,
  line: number,
  column: PlacedColumn,
  whole: string | undefined,
): string | null {
  const at = model.lines[line];
  if (whole) return whole;
  if (at?.readOnly) return at.readOnly;
  if (at?.state === 'deleted') return 'This row is marked for deletion';
  // Some columns, such as those of a key, never change in a stored row, but a new row may set them.
  if (at?.state === 'inserted' && column.insertable) return null;
  if (column.readOnly !== undefined) return column.readOnly;
  return isCutCell(storedCell(model, line, column)) ? cutCellRefusal : null;
}

function storedCell(model: GridModel, line: number, column: PlacedColumn): Cell | undefined {
  const at = model.lines[line]?.at;
  return at === undefined || column.source < 0 ? undefined : cellAt(model.rows, column.source, at);
}

/** The page has only the beginning of the value, or a note in its place: saving an edit would lose the value. */
export const cutCellRefusal = 'This value is too large to be shown whole, so it cannot be edited here';

/**
 * Whether these lines show the same rows in both models. While a copy to the clipboard waits for cells, the page may be
 * turned, sorted or read again, or a new row may move the lines.
 */
export function hasSameRows(before: GridModel, now: GridModel, lines: number[]): boolean {
  if (before.rows !== now.rows) return false;
  return lines.every((line) => {
    const [old, current] = [before.lines[line], now.lines[line]];
    return current !== undefined && old?.at === current.at && old?.id === current.id;
  });
}

export function isPending(model: GridModel, line: number, column: PlacedColumn): boolean {
  return (
    column.source < 0 &&
    model.lines[line]?.at !== undefined &&
    model.deferredCell?.(line, column.name) === undefined
  );
}
