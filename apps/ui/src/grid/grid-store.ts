import { createStore, type StoreApi } from 'zustand/vanilla';
import { type Position, type Selection, single } from './navigation.ts';
import type { GridLine } from './types.ts';

export interface Editing extends Position {
  /** The column that is edited: another window may move, pin or hide columns. */
  name: string;
  mode: 'inline' | 'large';
  /** Typing replaces: the editor begins empty instead of with the value. */
  replace: boolean;
  /** The value can be looked at, not changed. */
  refusal: string | null;
  /** Why the last attempt to end the editor was refused. */
  blocked: string | null;
  /** The row that is edited: lines may come and go above it. */
  line: GridLine;
  /** One opening of the editor: it keeps its text while its row moves. */
  opening: number;
  /** Ends the editor with the text typed so far; its form sets this. */
  leave: { current: (() => void) | null };
}

/** The column of an editor. A result may have a name twice, and its columns do not move. */
export function editedColumn<Column extends { name: string }>(
  columns: Column[],
  { column, name }: Editing,
): Column | undefined {
  const there = columns[column];
  return there?.name === name ? there : columns.find((other) => other.name === name);
}

/**
 * What moves. It lives outside React's tree of rows, so that a key press draws an overlay anew and not a
 * single row.
 */
export interface GridState {
  selection: Selection;
  editing: Editing | null;
  focused: boolean;
  /** Shown at the active cell until the next move. */
  notice: string | null;
  /** The text of the find bar; null while the bar is closed. */
  find: { query: string; matches: Position[]; at: number; done: boolean } | null;
  /** A header that is being dragged, and where it would be dropped. */
  columnDrag: { from: number; to: number; side: 'before' | 'after' } | null;
  /** How often the find bar was asked for. */
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
