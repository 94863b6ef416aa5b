import type { Cell, ColumnType, RowKey, RowSet } from '@trestle/driver-kit';

export interface GridColumn {
  name: string;
  type: ColumnType;
  /** The database's own word for the type. */
  nativeType?: string;
  /** Index in `rows.columns`; absent: found by name. Needed where two columns have one name. */
  at?: number;
  /** Absent: from the header and the first rows. */
  width?: number;
  hidden?: boolean;
  /** Stays at the left while the others scroll. */
  pinned?: boolean;
  inKey?: boolean;
  /** How well a row fits a search. */
  isMeasure?: boolean;
  /** Read-only, but a new row may be given one. */
  insertable?: boolean;
  /** The value that the database puts in where a new row leaves the column out. */
  defaultText?: string;
  /** False where the column refuses NULL. */
  nullable?: boolean;
  /** Why its cells cannot be changed; absent where they can. */
  readOnly?: string;
  sort?: 'asc' | 'desc';
  /** Its place among the columns sorted by, from 1; absent where there is one. */
  sortPlace?: number;
  /** Why rows cannot be sorted by it. */
  unsortable?: string;
  comment?: string;
  /** The rows that a cell of references points to; null for a cell that points to nothing. */
  references?(cell: Cell): GridReference[] | null;
  /** A way to choose the value, above the text of the large editor. `cell` is undefined while the text is none. */
  picker?(cell: Cell | undefined, onChange: (cell: Cell) => void): React.ReactNode;
}

/** A row that a cell points to. */
export interface GridReference {
  title: string;
  /** Null where the row is gone or not known yet: there is nothing to open. */
  target: { table: string; key: RowKey } | null;
}

/** One line of the grid: a row of the row set, or a row that is not in the database yet. */
export interface GridLine {
  /** Names the row while lines come and go above it; absent: its place names it. */
  id?: string | null;
  /** Its name as a new row, before the database gave it a key. */
  formerId?: string;
  /** Row of `rows`; absent for an inserted row. */
  at?: number;
  state?: 'inserted' | 'deleted';
  /** Values that differ from the database, by column name. */
  edited?: Record<string, Cell>;
  /** Why values in `edited` do not fit, by column name. */
  invalid?: Record<string, string>;
  /** Values that a save stored since `rows` was read. */
  saved?: Record<string, Cell>;
  /** Saved a moment ago. */
  flash?: boolean;
  /** What the server said when it refused this row. */
  message?: string;
  /** The message says that nobody knows whether the row was saved. */
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
  /** The line as it was when its editor opened. It may have left the grid since. */
  of?: GridLine;
  /** Why the column does not take the value: it is marked, and mended later. */
  problem?: string;
}

/** A value of a row that is not in the database yet. */
export type GridNewCell = Pick<GridEdit, 'column' | 'cell' | 'problem'>;

/** What the user may do to the columns of a table, by their names. */
export interface ColumnActs {
  hide(name: string): void;
  pin(name: string, isPinned: boolean): void;
  move(name: string, to: { column: string; side: 'before' | 'after' }): void;
  /** Null: back to the automatic width. */
  resize(widths: Record<string, number | null>): void;
  /** Opens the list of all columns, hidden ones too. */
  choose(): void;
  /** All as the database describes them; absent where they are. */
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
  /** Absent: the columns of `rows`. */
  columns?: GridColumn[];
  /** Absent: every row of `rows` as it is. */
  lines?: GridLine[];
  /** The number shown beside row 0 of `rows`; 1 unless told. */
  firstRowNumber?: number;
  /** Why nothing here can be changed; without `onEdit` the grid is silently read-only. */
  readOnly?: string;
  /** A cell of a column that is not in `rows` (fetched later); undefined while it is under way. */
  deferredCell?(line: number, column: string): Cell | undefined;
  /** Fetches deferred cells before a copy needs them. */
  onNeedCells?(lines: number[], columns: string[]): Promise<void>;
  onVisibleLines?(first: number, last: number): void;
  /** With `add`, the sort by other columns stays, and this one comes after them. */
  onSort?(column: string, order: 'asc' | 'desc' | null, options: { add: boolean }): void;
  /** All cells change in one step, which one undo takes back. */
  onEdit?(edits: GridEdit[]): void;
  /** As `onEdit`, with new rows; absent where nothing can be pasted. */
  onPaste?(paste: GridPaste): void;
  onInsertRow?(): void;
  /** New rows with the values of these, but for their keys. */
  onDuplicateRows?(lines: number[]): void;
  /** Why no row can be added, where none can. */
  insertRefusal?: string;
  /** Why rows cannot be deleted, where they cannot. */
  deleteRefusal?: string;
  onDeleteRows?(lines: number[]): void;
  /** Takes a deletion mark off again. */
  onRestoreRows?(lines: number[]): void;
  /** Asks for a file of the rows that are selected. */
  onExportRows?(): void;
  onFilterBy?(column: string, cell: Cell): void;
  /** Looks for rows near this one; absent where rows cannot be compared. */
  onFindSimilar?(line: number): void;
  /** Opens a row that a cell points to. */
  onOpenReference?(target: NonNullable<GridReference['target']>): void;
  /** The row that a reference points to, for a card beside it. */
  referencePreview?(target: NonNullable<GridReference['target']>): React.ReactNode;
  /** Absent where columns stand as they come; their widths then last as long as the grid. */
  columnActs?: ColumnActs;
  onSelectionChange?(selection: GridSelection): void;
  initialScroll?: GridScroll;
  onScroll?(scroll: GridScroll): void;
  /** Pixels at its right that something lies over: cells are brought into view beside it. */
  covered?: number;
  ref?: React.Ref<DataGridHandle>;
}

/** Acts that the window offers outside the grid too. */
export type GridAct = 'copy' | 'paste' | 'fillDown' | 'duplicateRows' | 'setNull' | 'deleteRows' | 'find';

export interface DataGridHandle {
  /** Does it to the selection. */
  run(act: GridAct): void;
  focus(): void;
  /** To the first row, as after turning a page; the focus stays where it is. */
  toTop(): void;
  /** Makes a cell active and brings it into view; the first editable column unless one is named. */
  goTo(line: number, column?: string, options?: { focus?: boolean }): void;
}
