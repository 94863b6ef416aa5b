import { createStore, type StoreApi } from 'zustand/vanilla';
import { type Position, type Selection, single } from './navigation.ts';

export interface Editing extends Position {
  mode: 'inline' | 'large';
  /** Typing replaces: the editor begins empty instead of with the value. */
  replace: boolean;
  /** The value can be looked at, not changed. */
  refusal: string | null;
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
}

export type GridStore = StoreApi<GridState>;

export function createGridStore(): GridStore {
  return createStore<GridState>(() => ({
    selection: single({ row: 0, column: 0 }),
    editing: null,
    focused: false,
    notice: null,
  }));
}
