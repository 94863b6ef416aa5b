import { cellToText } from '@trestle/driver-kit';
import type { PlacedColumn } from './layout.ts';
import { cellOf, displayOf, type GridModel } from './model.ts';
import type { Position } from './navigation.ts';

/** Case does not count, and neither does the form in which an accent was typed. */
export function foldCase(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

/** The cells of one line that hold the text: as it is shown, or in the whole value where that is longer. */
export function matchesIn(model: GridModel, row: number, folded: string): Position[] {
  const line = model.lines[row];
  if (!line || folded === '') return [];
  return model.columns.flatMap((column) => {
    const shown = displayOf(model, line, row, column);
    if (shown.kind === 'pending') return [];
    const isMatch =
      foldCase(shown.text).includes(folded) || foldCase(fullText(model, row, column)).includes(folded);
    return isMatch ? [{ row, column: column.index }] : [];
  });
}

/** A vector is looked for by the digits that are shown: all of them would be a million a page. */
function fullText(model: GridModel, row: number, column: PlacedColumn): string {
  if (column.type === 'vector' || column.type === 'bytes') return '';
  const cell = cellOf(model, row, column);
  return cell === undefined || cell === null ? '' : cellToText(cell);
}

/** The first match at or after a place; the first of all where there is none after it. */
export function matchFrom(matches: Position[], { row, column }: Position): number {
  const found = matches.findIndex(
    (match) => match.row > row || (match.row === row && match.column >= column),
  );
  return found < 0 ? 0 : found;
}
