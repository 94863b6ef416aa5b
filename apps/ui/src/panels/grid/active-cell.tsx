import { type RefObject, useEffect } from 'react';
import { useStore } from 'zustand';
import type { GridStore } from './grid-store.ts';
import type { PlacedColumn } from './layout.ts';
import type { GridModel } from './model.ts';

/** Tells assistive technology which cell is active. */
export function ActiveCell(props: {
  store: GridStore;
  model: GridModel;
  gridId: string;
  grid: RefObject<HTMLElement | null>;
  /** The drawn columns of the scrolling layer. */
  centre: PlacedColumn[];
}) {
  const { grid } = props;
  const { active } = useStore(props.store, (state) => state.selection);
  const id = drawnId(props, active);
  useEffect(() => {
    if (id === null) grid.current?.removeAttribute('aria-activedescendant');
    else grid.current?.setAttribute('aria-activedescendant', id);
  }, [id, grid]);
  return null;
}

/** The id of the active cell. Null if the page has no such row or column, or if the column is not drawn. */
export function drawnId(
  { model, gridId, centre }: { model: GridModel; gridId: string; centre: PlacedColumn[] },
  active: { row: number; column: number },
): string | null {
  const column = model.columns[active.column];
  if (!column || active.row >= model.lines.length) return null;
  if (!column.pinned && !centre.includes(column)) return null;
  return active.row < 0 ? `${gridId}-h-${active.column}` : `${gridId}-${active.row}-${active.column}`;
}
