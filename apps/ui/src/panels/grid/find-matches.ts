import { cellToText, foldText } from '@trestle/driver-kit';
import type { PlacedColumn } from './layout.ts';
import { cellOf, displayOf, type GridModel } from './model.ts';
import type { Position } from './navigation.ts';

/** The cells of one line that contain the text, either in the text that is shown or in the whole value. */
export function matchesIn(model: GridModel, row: number, folded: string): Position[] {
  const line = model.lines[row];
  if (!line || folded === '') return [];
  return model.columns.flatMap((column) => {
    const shown = displayOf(model, line, row, column);
    if (shown.kind === 'pending') return [];
    const isMatch =
      foldText(shown.text).includes(folded) || foldText(fullText(model, row, column)).includes(folded);
    return isMatch ? [{ row, column: column.index }] : [];
  });
}

/**
 * The whole value as text. Empty for vectors and bytes, so only their shown text is searched. The vectors of a page
 * may have a million digits.
 */
function fullText(model: GridModel, row: number, column: PlacedColumn): string {
  if (column.type === 'vector' || column.type === 'bytes') return '';
  const cell = cellOf(model, row, column);
  return cell === undefined || cell === null || cell instanceof Uint8Array ? '' : cellToText(cell);
}

/** The index of the first match at or after a position, or 0 if no match follows. */
export function matchFrom(matches: Position[], { row, column }: Position): number {
  const found = matches.findIndex(
    (match) => match.row > row || (match.row === row && match.column >= column),
  );
  return found < 0 ? 0 : found;
}
