import type { CellDisplay } from './cell-display.ts';
import type { GridFonts } from './fonts.ts';
import { textWidth } from './truncate.ts';

// The sizes of the drawn parts of a cell, in pixels. `bars` is a count. Column widths and the space for text depend
// on these sizes.

export const sparkline = { width: 48, height: 14, bars: 24 };
export const measureBar = { width: 44, height: 4 };
export const partGap = 8;
/** The width that the frame around the label of an empty text adds. */
const emptyMarkPadding = 12;
const checkBox = 14;

/** The width of a cell's content, without the cell's padding. At most the first `characters` characters of its text count. */
export function drawnWidth(display: CellDisplay, fonts: GridFonts, characters: number): number {
  const { kind, vector } = display;
  const text = textWidth(display.text.slice(0, characters), fontOf(kind, fonts));
  switch (kind) {
    case 'empty':
      return text + emptyMarkPadding;
    case 'boolean':
      return checkBox;
    case 'measure':
      return measureBar.width + partGap + text;
    case 'vector':
      return sparkline.width + 2 * partGap + text + textWidth(String(vector?.length ?? 0), fonts.ui);
    default:
      return text;
  }
}

export function fontOf(kind: CellDisplay['kind'], fonts: GridFonts) {
  return monospaced.has(kind) ? fonts.mono : fonts.ui;
}

const monospaced = new Set<CellDisplay['kind']>(['code', 'uuid', 'json', 'vector']);
