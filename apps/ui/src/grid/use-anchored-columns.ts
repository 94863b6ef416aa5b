import { useLayoutEffect, useRef } from 'react';
import type { GridStore } from './grid-store.ts';
import type { PlacedColumn } from './layout.ts';
import { isSingle, single } from './navigation.ts';

/**
 * The active cell and the open editor stay with their column when it is moved or pinned, or when columns
 * before it are added or removed. If the column is removed, the typed text is staged for it. A selected range does not
 * move.
 */
export function useAnchoredColumns(store: GridStore, columns: PlacedColumn[]): void {
  const before = useRef(columns);
  useLayoutEffect(() => {
    const old = before.current;
    before.current = columns;
    const { selection, editing } = store.getState();
    const { row, column } = selection.active;
    const was = old[column];
    // The position is tried first: a query result may have two columns of one name, and its columns do not move.
    if (old === columns || !was || !isSingle(selection) || columns[column]?.name === was.name) return;
    const now = columns.findIndex(({ name }) => name === was.name);
    if (now < 0) {
      editing?.leave.current?.();
      // The column is gone, so text that does not fit can no longer be corrected.
      store.setState({ editing: null });
    } else {
      store.setState({
        selection: single({ row, column: now }),
        ...(editing && { editing: { ...editing, column: now } }),
      });
    }
  }, [columns, store]);
}
