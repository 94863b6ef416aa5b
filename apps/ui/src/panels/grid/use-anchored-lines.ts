import { useLayoutEffect, useRef } from 'react';
import type { GridActions } from './grid-actions.ts';
import type { GridStore } from './grid-store.ts';
import type { GridLine } from './types.ts';

/**
 * The active cell and the open editor stay with their row when lines above it are added or removed. An editor
 * that kept its position would write into another row. If the row leaves the grid, the typed text is staged for
 * that row, if the text parses.
 */
export function useAnchoredLines(store: GridStore, lines: GridLine[], actions: GridActions): void {
  const before = useRef(lines);
  useLayoutEffect(() => {
    const old = before.current;
    before.current = lines;
    if (old === lines) return;
    const { selection, editing } = store.getState();
    const row = placeOf(old[selection.active.row], selection.active.row, lines);
    if (row !== null && row !== selection.active.row) {
      const by = row - selection.active.row;
      const head = { ...selection.head, row: Math.max(0, selection.head.row + by) };
      actions.select({ active: { ...selection.active, row }, head }, { reveal: false });
    }
    if (!editing) return;
    const place = placeOf(editing.line, editing.row, lines);
    const line = place === null ? undefined : lines[place];
    if (line && place !== null) store.setState({ editing: { ...editing, row: place, line } });
    else editing.leave.current?.();
  }, [lines, store, actions]);
}

/** The current index of a line; null if it is gone. A line without an id stays at its index. */
export function placeOf(line: GridLine | undefined, at: number, lines: GridLine[]): number | null {
  const id = line?.id;
  if (id === undefined || id === null || lines[at]?.id === id) return at < lines.length ? at : null;
  const found = lines.findIndex((other) => other.id === id || other.formerId === id);
  return found < 0 ? null : found;
}
