import { useLayoutEffect, useRef } from 'react';
import type { GridStore } from './grid-store.ts';
import type { PlacedColumn } from './layout.ts';
import { isSingle, single } from './navigation.ts';

/** The active cell stays with its column when that is moved or pinned, or when others come and go before it. */
export function useAnchoredColumns(store: GridStore, columns: PlacedColumn[]): void {
  const before = useRef(columns);
  useLayoutEffect(() => {
    const old = before.current;
    before.current = columns;
    const { selection, editing } = store.getState();
    const { row, column } = selection.active;
    const was = old[column];
    // Names may stand twice in a result, whose columns do not move.
    if (old === columns || !was || editing || !isSingle(selection) || columns[column]?.name === was.name)
      return;
    const now = columns.findIndex(({ name }) => name === was.name);
    if (now >= 0) store.setState({ selection: single({ row, column: now }) });
  }, [columns, store]);
}
