import { useLayoutEffect, useRef } from 'react';
import type { GridStore } from './grid-store.ts';
import type { PlacedColumn } from './layout.ts';
import { isSingle, single } from './navigation.ts';

/**
 * The active cell and the open editor stay with their column when it is moved or pinned, or when columns
 * before it are added or removed. If the column is removed, typed text that parses is staged for it. A selected range
 * does not move.
 */
export function useAnchoredColumns(store: GridStore, columns: PlacedColumn[]): void {
  const before = useRef(columns);
  useLayoutEffect(() => {
    const old = before.current;
    before.current = columns;
    if (old === columns) return;
    const { selection, editing } = store.getState();
    if (editing) {
      const now = placeIn(columns, editing.column, editing.name);
      if (now < 0) {
        editing.leave.current?.();
        // The column is gone, so text that does not fit can no longer be corrected.
        store.setState({ editing: null });
      } else if (now !== editing.column) store.setState({ editing: { ...editing, column: now } });
    }
    const { row, column } = selection.active;
    const was = old[column];
    if (!was || !isSingle(selection)) return;
    const now = placeIn(columns, column, was.name);
    if (now >= 0 && now !== column) store.setState({ selection: single({ row, column: now }) });
  }, [columns, store]);
}

/** The position is tried first: a query result may have two columns of one name, and its columns do not move. */
function placeIn(columns: PlacedColumn[], at: number, name: string): number {
  return columns[at]?.name === name ? at : columns.findIndex((column) => column.name === name);
}
