import { type ColumnType, type ColumnValues, cellAt, type RowSet } from '@trestle/driver-kit';
import { displayMeasure, displayStored } from './cell-display.ts';
import { drawnWidth } from './cell-width.ts';
import type { GridFonts } from './fonts.ts';
import { textWidth } from './truncate.ts';
import type { GridColumn, GridLine } from './types.ts';

/** The row height depends on the density. `setRowHeight` sets the height before a grid is drawn. */
export let rowHeight = 26;
export const headerHeight = 24;
/** The height of the message that is shown below a row. */
export const messageHeight = 22;
export const cellPadding = 8;
const narrowest = 48;
const widest = 320;
/** The limit when the user fits a column to its values. */
const widestFit = 900;

export function setRowHeight(pixels: number): void {
  rowHeight = pixels;
}

/** A visible column at its position. */
export interface PlacedColumn extends GridColumn {
  /** Index in the row set; -1 if its cells load later. */
  source: number;
  /** Its position in the order shown: first the pinned columns, then the scrolling columns. */
  index: number;
  /** The distance from the start of its layer: the pinned columns or the scrolling columns. */
  left: number;
  width: number;
  pinned: boolean;
  /** Whether the user or the default pins the column. In a very narrow grid, `pinned` is false for every column. */
  isPinSet: boolean;
  /** Whether its values and its header are right-aligned. */
  numeric: boolean;
}

export function placeColumns(columns: GridColumn[], rows: RowSet, widthOf: (column: GridColumn) => number) {
  const shown = columns.filter((column) => !column.hidden);
  const ordered = [...shown.filter((column) => column.pinned), ...shown.filter((column) => !column.pinned)];
  let pinnedWidth = 0;
  let centreWidth = 0;
  const placed = ordered.map((column, index): PlacedColumn => {
    const width = Math.max(narrowest, Math.round(column.width ?? widthOf(column)));
    const pinned = column.pinned === true;
    const left = pinned ? pinnedWidth : centreWidth;
    if (pinned) pinnedWidth += width;
    else centreWidth += width;
    const source = column.at ?? rows.columns.findIndex(({ name }) => name === column.name);
    const numeric = isNumeric(column.type) || (column.type === 'any' && holdsNumbers(rows.values[source]));
    return { ...column, index, source, left, width, pinned, isPinSet: pinned, numeric };
  });
  return { columns: placed, pinnedWidth, centreWidth };
}

/** Shrinks the pinned columns in proportion, so that together they are at most `room` wide. */
export function narrowed<Placed extends ReturnType<typeof placeColumns>>(
  placed: Placed,
  room: number,
): Placed {
  if (placed.pinnedWidth <= room) return placed;
  let left = 0;
  const columns = placed.columns.map((column) => {
    if (!column.pinned) return column;
    const width = Math.floor((column.width * room) / placed.pinnedWidth);
    left += width;
    return { ...column, width, left: left - width };
  });
  return { ...placed, columns, pinnedWidth: left };
}

/** Puts all columns into the scrolling layer, in the same order. */
export function unpinned<Placed extends ReturnType<typeof placeColumns>>(placed: Placed): Placed {
  const columns = placed.columns.map((column) =>
    column.pinned ? { ...column, pinned: false } : { ...column, left: placed.pinnedWidth + column.left },
  );
  return { ...placed, columns, pinnedWidth: 0, centreWidth: placed.pinnedWidth + placed.centreWidth };
}

/** Wide enough for the header and the values of the first 60 rows, within limits. */
export function autoWidth(column: GridColumn, rows: RowSet, fonts: GridFonts): number {
  return Math.min(widest, contentWidth(column, rows, fonts, { rows: 60, characters: 80 }));
}

/** Wide enough for the header and the values of the first `mostRows` rows, up to a limit. */
export function fitWidth(
  column: GridColumn,
  rows: RowSet,
  fonts: GridFonts,
  mostRows = rows.rowCount,
): number {
  return Math.min(widestFit, contentWidth(column, rows, fonts, { rows: mostRows, characters: 300 }));
}

function contentWidth(
  column: GridColumn,
  rows: RowSet,
  fonts: GridFonts,
  most: { rows: number; characters: number },
): number {
  const title = textWidth(column.name, fonts.ui) * 1.06;
  const type = column.nativeType ? textWidth(column.nativeType, fonts.ui) * 0.85 + 6 : 0;
  // Besides the text: padding, the sort arrow and the key mark.
  let needed = title + type + 2 * cellPadding + 18 + (column.inKey ? 16 : 0);
  const source = column.at ?? rows.columns.findIndex(({ name }) => name === column.name);
  const values = rows.values[source];
  if (values) {
    for (let row = 0; row < Math.min(rows.rowCount, most.rows); row++) {
      const display = column.isMeasure
        ? displayMeasure(cellAt(rows, source, row), () => 1)
        : displayStored(values, row, column.type);
      needed = Math.max(needed, drawnWidth(display, fonts, most.characters) + 2 * cellPadding + 4);
    }
  } else if (column.type === 'vector') {
    needed = Math.max(needed, drawnWidth(usualVector, fonts, most.characters) + 2 * cellPadding);
  }
  return Math.max(narrowest, Math.ceil(needed));
}

/** A typical vector. It stands in for the real vectors, which load after the rows of the page. */
const usualVector = { text: '[-0.01234567, -0.01234567, …', kind: 'vector', vector: [0] } as const;

export function isNumeric(type: ColumnType): boolean {
  return type === 'int' || type === 'number';
}

/** Whether the first 60 values are numbers. NULL does not count. The type `any` says nothing about the values. */
function holdsNumbers(values: ColumnValues | undefined): boolean {
  if (values?.kind !== 'cells') return false;
  const known = values.cells.slice(0, 60).filter((cell) => cell !== null);
  return known.length > 0 && known.every((cell) => typeof cell === 'number' || typeof cell === 'bigint');
}

/** `top` tells where a line starts. Only lines with a message are taller. */
export function lineOffsets(lines: GridLine[]): { top(line: number): number } {
  const tall: number[] = [];
  lines.forEach((line, index) => {
    if (line.message) tall.push(index);
  });
  const before = (line: number) => {
    let low = 0;
    let high = tall.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((tall[middle] as number) < line) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return { top: (line) => line * rowHeight + before(line) * messageHeight };
}

/** The scroll offset that brings a range into a viewport of the given size, with the smallest movement. */
export function scrollToShow(offset: number, size: number, start: number, end: number): number {
  if (start < offset) return start;
  if (end > offset + size) return Math.min(start, end - size);
  return offset;
}
