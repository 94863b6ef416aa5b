import type { ColumnType, RowSet } from '@trestle/driver-kit';
import { displayCell, displayStored, inColumn } from './cell-display.ts';
import { type CharacterWidth, textWidth } from './truncate.ts';
import type { GridColumn, GridLine } from './types.ts';

export const rowHeight = 26;
export const headerHeight = 30;
/** The line beneath a row that holds the server's message. */
export const messageHeight = 22;
export const cellPadding = 8;
/** The frame around the word that stands for an empty text. */
const emptyMarkPadding = 12;
const narrowest = 48;
const widest = 320;

export interface Fonts {
  ui: CharacterWidth;
  mono: CharacterWidth;
}

/** A column in its place: pinned ones first; `left` counts from the start of its layer. */
export interface PlacedColumn extends GridColumn {
  /** Index in the row set; -1 where its cells come later. */
  source: number;
  index: number;
  left: number;
  width: number;
  pinned: boolean;
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
    return { ...column, index, source, left, width, pinned };
  });
  return { columns: placed, pinnedWidth, centreWidth };
}

/** All in the layer that scrolls, in the same order. */
export function unpinned<Placed extends ReturnType<typeof placeColumns>>(placed: Placed): Placed {
  const columns = placed.columns.map((column) =>
    column.pinned ? { ...column, pinned: false } : { ...column, left: placed.pinnedWidth + column.left },
  );
  return { ...placed, columns, pinnedWidth: 0, centreWidth: placed.pinnedWidth + placed.centreWidth };
}

/** Wide enough for the header and for most of the first rows, within reason. */
export function autoWidth(column: GridColumn, rows: RowSet, fonts: Fonts): number {
  const title = textWidth(column.name, fonts.ui) * 1.06;
  const type = column.nativeType ? textWidth(column.nativeType, fonts.ui) * 0.85 + 6 : 0;
  // Beside the words: padding, the sort arrow, and the key mark.
  let needed = title + type + 2 * cellPadding + 18 + (column.inKey ? 16 : 0);
  const source = column.at ?? rows.columns.findIndex(({ name }) => name === column.name);
  const values = rows.values[source];
  if (values) {
    for (let row = 0; row < Math.min(rows.rowCount, 60); row++) {
      const { text, kind } = inColumn(displayStored(values, row), column.type);
      const font = kind === 'code' ? fonts.mono : fonts.ui;
      const mark = kind === 'empty' ? emptyMarkPadding : 0;
      needed = Math.max(needed, textWidth(text.slice(0, 80), font) + mark + 2 * cellPadding + 4);
    }
  } else if (column.type === 'vector') {
    const { text } = displayCell([-0.01234, -0.01234, ...Array<number>(1534).fill(0)]);
    needed = Math.max(needed, textWidth(text, fonts.mono) + 2 * cellPadding);
  }
  return Math.min(widest, Math.max(narrowest, Math.ceil(needed)));
}

export function isNumeric(type: ColumnType): boolean {
  return type === 'int' || type === 'number';
}

/** Where each line begins. Only the lines that carry a message are taller. */
export function lineOffsets(lines: GridLine[]): { top(line: number): number; at(y: number): number } {
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
  const top = (line: number) => line * rowHeight + before(line) * messageHeight;
  return {
    top,
    at(y) {
      let line = Math.max(0, Math.floor(y / rowHeight));
      while (line > 0 && top(line) > y) line--;
      return Math.min(lines.length - 1, line);
    },
  };
}

/** The scroll offset that brings a stretch into a window of the given size, moving as little as possible. */
export function scrollToShow(offset: number, size: number, start: number, end: number): number {
  if (start < offset) return start;
  if (end > offset + size) return Math.min(start, end - size);
  return offset;
}
