import type { PointerEvent } from 'react';
import type { GridActions, GridContext } from './grid-actions.ts';
import type { GridStore } from './grid-store.ts';

/** A press that moves less than this distance counts as a click. */
const slackPx = 6;

/** Moves a column by dragging its header with the mouse. A line shows where the column would be dropped. */
export function columnDragging(store: GridStore, actions: GridActions, context: () => GridContext) {
  let pressed: { column: number; x: number } | null = null;
  let dragged = false;
  const isFixed = (column: number) => context().model.columns[column]?.isFixed === true;
  return {
    press(column: number, event: PointerEvent) {
      dragged = false;
      pressed = context().props.columnActs && !isFixed(column) ? { column, x: event.clientX } : null;
    },
    /** Returns true while a header that can be moved is pressed. The pointer must then select no cells. */
    move(event: PointerEvent): boolean {
      if (!pressed) return false;
      if (event.buttons !== 1) {
        pressed = null;
        store.setState({ columnDrag: null });
        return false;
      }
      if (!dragged && Math.abs(event.clientX - pressed.x) < slackPx) return true;
      dragged = true;
      const header = event.target instanceof Element && event.target.closest<HTMLElement>('[data-header]');
      if (!header || isFixed(Number(header.dataset.header))) return true;
      const { left, width } = header.getBoundingClientRect();
      const side = event.clientX < left + width / 2 ? 'before' : 'after';
      store.setState({ columnDrag: { from: pressed.column, to: Number(header.dataset.header), side } });
      return true;
    },
    drop() {
      const { columnDrag } = store.getState();
      pressed = null;
      if (!columnDrag) return;
      store.setState({ columnDrag: null });
      actions.dropColumn(columnDrag.from, columnDrag.to, columnDrag.side);
    },
    /** Whether the last press on a header became a drag. The click that follows a drag must not sort. */
    wasDragged: () => dragged,
  };
}
