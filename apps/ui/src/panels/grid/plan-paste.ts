import { type Cell, isCutCell, sameCell } from '@trestle/driver-kit';
import { fitPasted } from './fit-pasted.ts';
import type { PlacedColumn } from './layout.ts';
import { cellOf, type GridModel, refusalOf } from './model.ts';
import { rangeOf, type Selection } from './navigation.ts';
import { PasteTally } from './paste-tally.ts';
import type { Pasted, PastedCell } from './read-pasted.ts';
import type { GridEdit, GridNewCell } from './types.ts';

interface PastePlan {
  edits: GridEdit[];
  /** New rows, each as a list of cells. */
  rows: GridNewCell[][];
  tally: PasteTally;
  /** How far the paste reaches over existing lines. */
  covers: { lines: number; columns: number };
}

/**
 * Where each pasted value goes. Values with column names go into those columns, from the first selected row on. Other
 * values start in the top left corner of the selection. If the height or width of the selection is a multiple of the
 * pasted one, copies fill the selection in that direction. Rows past the last line become new rows, unless
 * `insertRefusal` is set. A paste that starts in a new row fills the new rows and then adds more. It changes a
 * database row below only if the row is selected and copies fill the selection downwards.
 */
export function planPaste(
  pasted: Pasted,
  at: {
    model: GridModel;
    selection: Selection;
    /** Why nothing can be changed. */
    readOnly: string | undefined;
    /** Why no row can be added. */
    insertRefusal: string | undefined;
  },
): PastePlan {
  const { model, readOnly, insertRefusal } = at;
  const range = rangeOf(at.selection);
  const start = { line: Math.max(0, range.top), column: range.left };
  const tally = new PasteTally();
  const targets = columnsOf(pasted, model, start.column, tally);
  // Values with column names are rows of a table. The selection only says in which row they start.
  const fills = pasted.names === null && model.lines.length > 0;
  const width = fills ? repeated(targets.length, range.right - range.left + 1) : targets.length;
  const height = fills ? repeated(pasted.rows.length, range.bottom - range.top + 1) : pasted.rows.length;
  const isFill = height > pasted.rows.length;
  const last = isFill ? model.lines.length - 1 : lastLine(model, start.line);
  const plan: PastePlan = { edits: [], rows: [], tally, covers: { lines: 0, columns: 0 } };
  for (let row = 0; row < height; row++) {
    const values = pasted.rows[row % pasted.rows.length] as PastedCell[];
    const line = start.line + row;
    const isNew = line > last;
    if (isNew && insertRefusal !== undefined) {
      tally.rowRefused(insertRefusal);
      continue;
    }
    const cells: GridNewCell[] = [];
    for (let place = 0; place < width; place++) {
      const column = pasted.names ? targets[place] : model.columns[start.column + place];
      const value = values[place % targets.length];
      if (!column || value === undefined) continue;
      const current = isNew ? undefined : cellOf(model, line, column);
      const fitted = fitPasted(value, column, { isNew, current });
      if (fitted.cell === undefined) continue;
      if (!isNew && current !== undefined && sameCell(current, fitted.cell)) continue;
      const refusal =
        (isNew ? newRowRefusal(column, readOnly) : refusalOf(model, line, column, readOnly)) ??
        (isCutCell(fitted.cell) ? cutCopyRefusal : null);
      if (refusal !== null) {
        tally.cellRefused(column.name, refusal);
        continue;
      }
      const problem = 'problem' in fitted ? fitted.problem : undefined;
      if (problem !== undefined) tally.doesNotFit(column.name, problem);
      tally.staged++;
      cells.push({
        column: column.name,
        cell: fitted.cell as Cell,
        ...(problem !== undefined && { problem }),
      });
    }
    if (isNew) plan.rows.push(cells);
    else {
      for (const cell of cells) plan.edits.push({ line, ...cell });
      plan.covers = { lines: row + 1, columns: width };
    }
  }
  tally.newRows = plan.rows.length;
  return plan;
}

/** A save would store the cut value as if it were whole. */
const cutCopyRefusal = 'The copied value was too large to be copied whole';

/**
 * The target of each pasted column; undefined if the grid does not show that column. Pasted columns past the last
 * column, or past the last name, are left out. `tally` counts the columns without a target.
 */
function columnsOf(
  { rows, names }: Pasted,
  { columns }: GridModel,
  first: number,
  tally: PasteTally,
): (PlacedColumn | undefined)[] {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  if (names) {
    tally.columnsBeyond = Math.max(0, width - names.length);
    const targets = names.map((name) => columns.find((column) => column.name === name));
    for (const [at, name] of names.entries()) if (!targets[at]) tally.unknownColumns.push(name);
    return targets;
  }
  tally.columnsBeyond = Math.max(0, first + width - columns.length);
  return Array.from({ length: Math.min(width, columns.length - first) }, (_, at) => columns[first + at]);
}

/**
 * How many rows or columns the paste covers: the selected number if it is a multiple of the pasted number, otherwise
 * the pasted number.
 */
function repeated(pasted: number, selected: number): number {
  return pasted > 0 && selected > pasted && selected % pasted === 0 ? selected : pasted;
}

/** The last line that the paste may change. For a paste that starts in a new row, it is the last new row. */
function lastLine({ lines }: GridModel, start: number): number {
  if (lines[start]?.state !== 'inserted') return lines.length - 1;
  const end = lines.findIndex((line, at) => at > start && line.state !== 'inserted');
  return end < 0 ? lines.length - 1 : end - 1;
}

function newRowRefusal(column: PlacedColumn, readOnly: string | undefined): string | null {
  if (readOnly !== undefined) return readOnly;
  return column.insertable ? null : (column.readOnly ?? null);
}
