import { useLayoutEffect, useRef } from 'react';
import type { GridStore } from './grid-store.ts';
import type { PlacedColumn } from './layout.ts';
import { isSingle, single } from './navigation.ts';

/**
 * The active cell and the open editor stay with their column when that is moved or pinned, or when others come and go
 * before it. Where the column has left, the text typed so far is staged for it.
 */
export function useAnchoredColumns(store: GridStore, columns: PlacedColumn[]): void {
  const before = useRef(columns);
  useLayoutEffect(() => {
    const old = before.current;
    before.current = columns;
    const { selection, editing } = store.getState();
    const { row, column } = selection.active;
    const was = old[column];
    // Names may stand twice in a result, whose columns do not move.
    if (old === columns || !was || !isSingle(selection) || columns[column]?.name === was.name) return;
    const now = columns.findIndex(({ name }) => name === was.name);
    if (now < 0) {
      editing?.leave.current?.();
      // A text that does not fit has no place to be mended any more.
      store.setState({ editing: null });
    } else {
      store.setState({
        selection: single({ row, column: now }),
        ...(editing && { editing: { ...editing, column: now } }),
      });
    }
  }, [columns, store]);
}
