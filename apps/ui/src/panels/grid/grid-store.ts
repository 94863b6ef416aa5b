import { createStore, type StoreApi } from 'zustand/vanilla';
import { type Position, type Selection, single } from './navigation.ts';
import type { GridLine } from './types.ts';

export interface Editing extends Position {
  /** Identifies the edited column: its position may change, for example if another window moves columns. */
  name: string;
  mode: 'inline' | 'large';
  /** Typing replaces the value: the editor starts empty. */
  replace: boolean;
  /** Why the value can be viewed but not changed. Null if it can be changed, empty if the grid gives no reason. */
  refusal: string | null;
  /** Why the last commit was refused; null if there was no refusal. */
  blocked: string | null;
  /** Identifies the edited row: its index changes if lines above it are added or removed. */
  line: GridLine;
  /** Counts the opened editors. It is the editor's React key, so the editor keeps its text while its row moves. */
  opening: number;
  /** Commits the typed text and closes the editor, or leaves it open if the commit fails. Set by the editor. */
  leave: { current: (() => void) | null };
  /** The typed text, kept here because React creates the editor again if its column becomes pinned or unpinned. */
  draft: { current: string | null };
}

/**
 * The column of an editor. The position is tried first: a query result may have two columns of one name, and its
 * columns do not move.
 */
export function editedColumn<Column extends { name: string }>(
  columns: Column[],
  { column, name }: Editing,
): Column | undefined {
  const there = columns[column];
  return there?.name === name ? there : columns.find((other) => other.name === name);
}

/**
 * The state that changes while the user works in the grid. It is outside React's tree of rows, so a key press can
 * redraw an overlay without the rows.
 */
export interface GridState {
  selection: Selection;
  editing: Editing | null;
  focused: boolean;
  /** Shown at the active cell until the selection changes, or for a set time. */
  notice: string | null;
  /** The text of the find bar and its matches; null while the bar is closed. */
  find: { query: string; matches: Position[]; at: number; done: boolean } | null;
  /** A header that is being dragged, and where it would be dropped. */
  columnDrag: { from: number; to: number; side: 'before' | 'after' } | null;
  /** How often Find was called. Each call moves the focus to the find bar. */
  findOpened: number;
}

export type GridStore = StoreApi<GridState>;

export function createGridStore(): GridStore {
  return createStore<GridState>(() => ({
    selection: single({ row: 0, column: 0 }),
    editing: null,
    focused: false,
    notice: null,
    find: null,
    columnDrag: null,
    findOpened: 0,
  }));
}
