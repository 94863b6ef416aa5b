import { type RefObject, useEffect } from 'react';
import { useStore } from 'zustand';
import { counted } from '../shared/counted.ts';
import type { GridStore } from './grid-store.ts';
import type { GridModel } from './model.ts';
import { isSingle, rangeOf } from './navigation.ts';

/** Announces to assistive technology where the active cell is, how far a range reaches, and every notice. */
export function GridStatus(props: {
  store: GridStore;
  model: GridModel;
  gridId: string;
  grid: RefObject<HTMLElement | null>;
  className: string | undefined;
}) {
  const { gridId, grid, model } = props;
  const { selection, notice } = useStore(props.store);
  const { active } = selection;
  useEffect(() => {
    const id = active.row < 0 ? `${gridId}-h-${active.column}` : `${gridId}-${active.row}-${active.column}`;
    // A page without rows has no cell to name.
    if (active.row < model.lines.length) grid.current?.setAttribute('aria-activedescendant', id);
    else grid.current?.removeAttribute('aria-activedescendant');
  }, [active.row, active.column, gridId, grid, model.lines.length]);
  const { top, bottom, left, right } = rangeOf(selection);
  const range = isSingle(selection)
    ? ''
    : `${counted(bottom - top + 1, 'row')} by ${counted(right - left + 1, 'column')} selected`;
  return (
    <div role="status" className={props.className}>
      {notice ?? range}
    </div>
  );
}
