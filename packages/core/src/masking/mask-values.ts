import {
  type Cell,
  type ColumnHead,
  type ColumnValues,
  holdsPattern,
  holdsPersonal,
  type MaskPattern,
  maskCell,
  maskText,
  type RowSet,
} from '@trestle/driver-kit';

/**
 * Which values of a column are masked. `hidden`: all. `closed`: values that match a pattern, and every object and
 * binary value. `open`: values that match a pattern. `opened` (by the user): none.
 */
export type Masked = 'hidden' | 'closed' | 'open' | 'opened';

/** Masks the cells of each column as `maskedHow` says. Calls `onFound` if an open column has a value that matches. */
export function maskRowSet(
  rows: RowSet,
  maskedHow: (head: ColumnHead) => Masked,
  patterns: readonly MaskPattern[],
  onFound: () => void = () => {},
): RowSet {
  const columns: ColumnHead[] = [];
  const values: ColumnValues[] = [];
  for (const [index, head] of rows.columns.entries()) {
    const given = rows.values[index]!;
    const how = maskedHow(head);
    if (how === 'hidden') {
      columns.push({ ...head, type: 'text', masked: true });
      values.push({ kind: 'cells', cells: hideAll(given, rows.rowCount) });
    } else if (given.kind === 'vectors' || patterns.length === 0 || how === 'opened') {
      columns.push(head);
      values.push(given);
    } else {
      const cells = given.cells.map((cell) => {
        // An object or bytes may contain a personal value in a form that no pattern recognises.
        if (how === 'closed' && typeof cell === 'object' && cell !== null) return maskText;
        return maskCell(cell, patterns);
      });
      // The mask is text, so a changed column of another type gets the type `any`. JSON stays JSON: it may contain text.
      const changed = head.type !== 'text' && cells.some((cell, row) => cell !== given.cells[row]);
      if (how === 'open' && given.cells.some((cell) => holdsPattern(cell, patterns))) onFound();
      const { masked: _, ...plain } = head;
      columns.push(changed && head.type !== 'json' ? { ...plain, type: 'any' } : plain);
      values.push({ kind: 'cells', cells });
    }
  }
  return { rowCount: rows.rowCount, columns, values };
}

/** Masks each word that contains a match. Masks the whole text if a match spans several words. */
export function maskSentence(text: string, patterns: readonly MaskPattern[]): string {
  if (patterns.length === 0) return text;
  const matches = (part: string) => holdsPersonal(part, patterns);
  // Some values match only if they are the whole text, such as `ada@localhost`. So each word is tested by itself.
  const words = text
    .split(/(\s+)/)
    .map((word) => (matches(word) || word.split(/["'`()[\]{}<>,;:=]/).some(matches) ? maskText : word));
  const rest = words.join('');
  return matches(rest) ? maskText : rest;
}

function hideAll(values: ColumnValues, rowCount: number): Cell[] {
  if (values.kind === 'cells') return values.cells.map((cell) => (cell === null ? null : maskText));
  return Array.from({ length: rowCount }, (_, row) => (values.present[row] ? maskText : null));
}
