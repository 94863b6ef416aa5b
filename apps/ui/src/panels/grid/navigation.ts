/** A position in the grid; row -1 is the header. Columns are counted in the order shown. */
export interface Position {
  row: number;
  column: number;
}

/** The active cell, and the opposite corner of the range that starts there. */
export interface Selection {
  active: Position;
  head: Position;
}

export interface Bounds {
  rows: number;
  columns: number;
  /** How many rows Page Up and Page Down move. */
  pageRows: number;
}

export type Motion =
  | 'up'
  | 'down'
  | 'left'
  | 'right'
  | 'top'
  | 'bottom'
  | 'rowStart'
  | 'rowEnd'
  | 'first'
  | 'last'
  | 'pageUp'
  | 'pageDown';

export interface Range {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

/**
 * The selection after a movement. With `extend`, only `head` moves, and it stops at the first row. In the header,
 * `extend` has no effect.
 */
export function moveSelection(
  selection: Selection,
  motion: Motion,
  bounds: Bounds,
  extend = false,
): Selection {
  const next = step(extend ? selection.head : selection.active, motion, bounds);
  if (extend && selection.active.row >= 0) {
    return { active: selection.active, head: clamp(next, bounds, 0) };
  }
  return single(clamp(next, bounds, -1));
}

export function single(position: Position): Selection {
  return { active: position, head: position };
}

export function rangeOf({ active, head }: Selection): Range {
  return {
    top: Math.min(active.row, head.row),
    bottom: Math.max(active.row, head.row),
    left: Math.min(active.column, head.column),
    right: Math.max(active.column, head.column),
  };
}

export function isSingle({ active, head }: Selection): boolean {
  return active.row === head.row && active.column === head.column;
}

/** The selection after the size of the grid has changed. */
export function clampSelection(selection: Selection, bounds: Bounds): Selection {
  const active = clamp(selection.active, bounds, -1);
  return { active, head: active.row < 0 ? active : clamp(selection.head, bounds, 0) };
}

function step({ row, column }: Position, motion: Motion, { rows, columns, pageRows }: Bounds): Position {
  switch (motion) {
    case 'up':
      return { row: row - 1, column };
    case 'down':
      return { row: row + 1, column };
    case 'left':
      return { row, column: column - 1 };
    case 'right':
      return { row, column: column + 1 };
    case 'top':
      return { row: 0, column };
    case 'bottom':
      return { row: rows - 1, column };
    case 'rowStart':
      return { row, column: 0 };
    case 'rowEnd':
      return { row, column: columns - 1 };
    case 'first':
      return { row: 0, column: 0 };
    case 'last':
      return { row: rows - 1, column: columns - 1 };
    case 'pageUp':
      // Page Up stops at the first row. From the header, Page Up must not move down to that row.
      return { row: Math.max(Math.min(0, row), row - pageRows), column };
    case 'pageDown':
      return { row: Math.min(rows - 1, Math.max(0, row) + pageRows), column };
  }
}

function clamp({ row, column }: Position, { rows, columns }: Bounds, lowestRow: number): Position {
  return {
    row: Math.max(lowestRow, Math.min(rows - 1, row)),
    column: Math.max(0, Math.min(columns - 1, column)),
  };
}
