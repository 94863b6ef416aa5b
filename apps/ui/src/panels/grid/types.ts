import type { Cell, ColumnType, RowKey, RowSet } from '@trestle/driver-kit';

export interface GridColumn {
  name: string;
  type: ColumnType;
  /** The database's own name for the type. */
  nativeType?: string;
  /** Index in `rows.columns`. Needed if two columns share a name. Without an index, the column is found by name. */
  at?: number;
  /** Defaults to a width that fits the header and the first rows, up to a limit. */
  width?: number;
  hidden?: boolean;
  /** The column stays at the left while the other columns scroll. */
  pinned?: boolean;
  /** A search adds this column. It is not in the table, and cannot be pinned, moved or hidden. */
  isFixed?: boolean;
  inKey?: boolean;
  /** The column measures how well a row matches a search. */
  isMeasure?: boolean;
  /** A new row may set the column, even if it is read-only. */
  insertable?: boolean;
  /** The value that the database sets if a new row leaves the column out. */
  defaultText?: string;
  /** False if the column refuses NULL. */
  nullable?: boolean;
  /** Why the cells of the column cannot be changed. Undefined if they can. */
  readOnly?: string;
  sort?: 'asc' | 'desc';
  /** The rank of the column among the sort columns, from 1. Undefined if it is the only sort column. */
  sortPlace?: number;
  /** Why rows cannot be sorted by the column. */
  unsortable?: string;
  comment?: string;
  /** The rows that a reference cell points to; null if it points to none. */
  references?(cell: Cell): GridReference[] | null;
  /**
   * A control that chooses the value, above the text of the large editor. `cell` is undefined if the text
   * does not parse.
   */
  picker?(cell: Cell | undefined, onChange: (cell: Cell) => void): React.ReactNode;
}

/** A row that a cell points to. */
export interface GridReference {
  title: string;
  /** Null if the row is deleted or not loaded yet: there is nothing to open. */
  target: { table: string; key: RowKey } | null;
}

/** One line of the grid: a row of the row set, or a new row, saved or not. */
export interface GridLine {
  /** Identifies the row when lines above it are added or removed. Without an id, the position identifies the row. */
  id?: string | null;
  /** The id that the row had as a new row, before it was saved. */
  formerId?: string;
  /** Index of the row in `rows`. Undefined for a new row, also after it was saved, until `rows` is read again. */
  at?: number;
  /** `deleted`: marked for deletion. `gone`: a save has deleted the row since `rows` was read. */
  state?: 'inserted' | 'deleted' | 'gone';
  /** Values that differ from the database, by column name. */
  edited?: Record<string, Cell>;
  /** Why values in `edited` do not fit, by column name. */
  invalid?: Record<string, string>;
  /** Values that a save has stored since `rows` was read. */
  saved?: Record<string, Cell>;
  /** The row was just saved. */
  flash?: boolean;
  /** Why the row was not saved, or cannot be saved yet. Shown below the row. */
  message?: string;
  /** It is unknown whether the row was saved, and `message` says so. */
  doubt?: boolean;
  /** Why this one row cannot be changed. */
  readOnly?: string;
}

export interface GridCell {
  line: number;
  /** Column name. */
  column: string;
}

export interface GridEdit extends GridCell {
  cell: Cell;
  /** The line that was edited, if the edit comes from an editor. The line may have left the grid since. */
  of?: GridLine;
  /** Why the column does not accept the value. The cell is marked and can be fixed later. */
  problem?: string;
}

/** A value of a row that is not in the database yet. */
export type GridNewCell = Pick<GridEdit, 'column' | 'cell' | 'problem'>;

/** Column actions of the user, by column name. */
export interface ColumnActs {
  hide(name: string): void;
  pin(name: string, isPinned: boolean): void;
  move(name: string, to: { column: string; side: 'before' | 'after' }): void;
  /** Null restores the automatic width. */
  resize(widths: Record<string, number | null>): void;
  /** Opens the list of all columns, including hidden ones. */
  choose(): void;
  /** Shows what values a column has. Undefined if the database cannot count them. */
  summarise: ((name: string) => void) | undefined;
  /** Restores the columns as the database describes them. Undefined if nothing was changed. */
  reset: (() => void) | undefined;
  hiddenCount: number;
}

/** Cells to change and rows to add in one step. */
export interface GridPaste {
  edits: GridEdit[];
  rows: GridNewCell[][];
}

export interface GridSelection {
  active: GridCell;
  /** Line indices in the selected range. */
  lines: number[];
  /** Column names in the selected range. */
  columns: string[];
}

export interface GridScroll {
  top: number;
  left: number;
}

export interface DataGridProps {
  /** Names the grid for assistive technology. */
  label: string;
  rows: RowSet;
  /** Defaults to the columns of `rows`. */
  columns?: GridColumn[];
  /** Defaults to every row of `rows`, unchanged. */
  lines?: GridLine[];
  /** The number beside row 0 of `rows`; 1 by default. */
  firstRowNumber?: number;
  /** Why nothing in the grid can be changed. Without `onEdit` the grid is read-only and gives no reason. */
  readOnly?: string;
  /** A cell of a column that is not in `rows` (loaded later); undefined while it loads. */
  deferredCell?(line: number, column: string): Cell | undefined;
  /** Loads deferred cells before a copy needs them. */
  onNeedCells?(lines: number[], columns: string[]): Promise<void>;
  onVisibleLines?(first: number, last: number): void;
  /** With `add`, the other sort columns stay, and a new one comes after them. A null order removes this column. */
  onSort?(column: string, order: 'asc' | 'desc' | null, options: { add: boolean }): void;
  /** All cells change in one step, which one undo reverts. */
  onEdit?(edits: GridEdit[]): void;
  /** Like `onEdit`, with new rows. Undefined if nothing can be pasted. */
  onPaste?(paste: GridPaste): void;
  onInsertRow?(): void;
  /** Adds copies of these lines as new rows. */
  onDuplicateRows?(lines: number[]): void;
  /** Why no row can be added. */
  insertRefusal?: string;
  /** Why rows cannot be deleted. */
  deleteRefusal?: string;
  onDeleteRows?(lines: number[]): void;
  /** Removes the deletion marks of these lines. */
  onRestoreRows?(lines: number[]): void;
  /** Exports the selected rows to a file. */
  onExportRows?(): void;
  /** Adds a filter on the value of a cell. */
  onFilterBy?(column: string, cell: Cell): void;
  /** Opens the filters at a new one on the column. */
  onFilter?(column: string): void;
  /** Searches for rows near this one. Undefined if rows cannot be compared. */
  onFindSimilar?(line: number): void;
  /** Opens a row that a cell points to. */
  onOpenReference?(target: NonNullable<GridReference['target']>): void;
  /** The row that a reference points to, for a card beside it. */
  referencePreview?(target: NonNullable<GridReference['target']>): React.ReactNode;
  /**
   * Stores the user's changes to the columns. Without `columnActs`, the user can change only the widths, and the grid
   * forgets them when it closes.
   */
  columnActs?: ColumnActs;
  onSelectionChange?(selection: GridSelection): void;
  initialScroll?: GridScroll;
  onScroll?(scroll: GridScroll): void;
  /** The width in pixels that a pane covers at the right edge. A cell scrolled into view is not behind the pane. */
  covered?: number;
  ref?: React.Ref<DataGridHandle>;
}

/** Actions that the window also offers outside the grid. */
export type GridAct = 'copy' | 'paste' | 'fillDown' | 'duplicateRows' | 'setNull' | 'deleteRows' | 'find';

export interface DataGridHandle {
  /** Runs the action on the selection. */
  run(act: GridAct): void;
  focus(): void;
  /** Scrolls to the first row. Makes it active, unless a header is active. The focus does not move. */
  toTop(): void;
  /** Makes a cell active and scrolls it into view. `column` defaults to the first column that is not read-only. */
  goTo(line: number, column?: string, options?: { focus?: boolean }): void;
}
