import type { MouseEvent, PointerEvent } from 'react';
import type { GridActions, GridContext } from './grid-actions.ts';
import type { GridStore } from './grid-store.ts';
import { type Position, rangeOf, single } from './navigation.ts';

type Hit =
  | { kind: 'cell'; position: Position }
  | { kind: 'gutter'; row: number }
  | { kind: 'header'; column: number }
  | { kind: 'corner' };

/**
 * The mouse: a press selects a cell, and a drag extends the selection. On a header, a click sorts and a drag moves the
 * column. A click on a reference opens its row. A double click edits or toggles a cell.
 */
export function pointerHandlers(store: GridStore, actions: GridActions, context: () => GridContext) {
  let dragging: 'cells' | 'rows' | null = null;
  const columns = columnDragging(store, actions, context);
  const openReference = (target: EventTarget, position: Position) => {
    const link = target instanceof Element && target.closest<HTMLElement>('[data-reference]');
    if (link) actions.openReference(Number(link.dataset.reference), position);
  };
  return {
    onPointerDown(event: PointerEvent) {
      const hit = hitOf(event.target);
      if (!hit) return;
      // The press itself would move the focus elsewhere. `focus` blurs an open editor, which then tries to commit.
      event.preventDefault();
      actions.focus();
      if (actions.stayInEditor()) return;
      if (event.button === 2) return pickForMenu(store, actions, hit);
      if (event.button !== 0) return;
      const { selection } = store.getState();
      const extend = event.shiftKey && selection.active.row >= 0;
      if (hit.kind === 'header') columns.press(hit.column, event);
      if (hit.kind === 'corner') actions.selectAll();
      if (hit.kind === 'gutter') {
        dragging = 'rows';
        actions.selectRows(extend ? selection.active.row : hit.row, hit.row);
      }
      if (hit.kind === 'cell') {
        dragging = 'cells';
        actions.select(extend ? { active: selection.active, head: hit.position } : single(hit.position));
      }
    },
    onPointerMove(event: PointerEvent) {
      if (columns.move(event)) return;
      if (!dragging) return;
      if (event.buttons !== 1) {
        dragging = null;
        return;
      }
      const hit = hitOf(event.target);
      const { active, head } = store.getState().selection;
      if (dragging === 'rows' && (hit?.kind === 'gutter' || hit?.kind === 'cell')) {
        actions.selectRows(active.row, hit.kind === 'gutter' ? hit.row : hit.position.row);
      } else if (dragging === 'cells' && hit?.kind === 'cell') {
        const { row, column } = hit.position;
        if (row !== head.row || column !== head.column) actions.select({ active, head: hit.position });
      }
    },
    onPointerUp() {
      dragging = null;
      columns.drop();
    },
    onClick(event: MouseEvent) {
      const hit = hitOf(event.target);
      if (!hit || actions.stayInEditor()) return;
      if (hit.kind === 'cell' && !event.shiftKey) openReference(event.target, hit.position);
      if (hit.kind !== 'header' || columns.wasDragged()) return;
      actions.select(single({ row: -1, column: hit.column }));
      if (context().props.onSort) actions.sort(hit.column, { add: event.shiftKey });
    },
    onDoubleClick(event: MouseEvent) {
      // An editor that is still open could not commit. `edit` would discard its text.
      if (hitOf(event.target)?.kind !== 'cell' || actions.stayInEditor()) return;
      if (!actions.toggle()) actions.edit();
    },
  };
}

/**
 * A menu on a selected cell, or on the gutter of its row, applies to the selection. On a header, or on a cell or row
 * outside the selection, the menu applies to that header, cell or row.
 */
function pickForMenu(store: GridStore, actions: GridActions, hit: Hit): void {
  if (hit.kind === 'header') actions.select(single({ row: -1, column: hit.column }));
  if (hit.kind === 'header' || hit.kind === 'corner') return;
  const { top, bottom, left, right } = rangeOf(store.getState().selection);
  const row = hit.kind === 'gutter' ? hit.row : hit.position.row;
  const inRows = row >= top && row <= bottom;
  if (hit.kind === 'gutter') {
    if (!inRows) actions.selectRows(row, row);
    return;
  }
  const { column } = hit.position;
  if (!inRows || column < left || column > right) actions.select(single(hit.position), { reveal: false });
}

function hitOf(target: EventTarget): Hit | null {
  if (!(target instanceof Element) || target.closest('[data-resize], [data-column-menu], [data-grid-editor]'))
    return null;
  if (target.closest('[data-corner]')) return { kind: 'corner' };
  const header = target.closest<HTMLElement>('[data-header]');
  if (header) return { kind: 'header', column: Number(header.dataset.header) };
  const line = target.closest<HTMLElement>('[data-line]');
  if (!line) return null;
  const row = Number(line.dataset.line);
  const cell = target.closest<HTMLElement>('[data-column]');
  if (cell) return { kind: 'cell', position: { row, column: Number(cell.dataset.column) } };
  return target.closest('[data-gutter]') ? { kind: 'gutter', row } : null;
}

/** A press that moves less than this distance counts as a click. */
const slackPx = 6;

/** Moves a column by dragging its header with the mouse. A line shows where the column would be dropped. */
function columnDragging(store: GridStore, actions: GridActions, context: () => GridContext) {
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
