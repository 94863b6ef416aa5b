import { type Cell, isCutCell, sameCell } from '@trestle/driver-kit';
import { hasHelp, needsRoom } from '../value-editors/edit-text.ts';
import { createColumnActions } from './column-actions.ts';
import { nullRefusal } from './fit-pasted.ts';
import { editedColumn, type GridStore } from './grid-store.ts';
import { headerHeight, type PlacedColumn, rowHeight, scrollToShow } from './layout.ts';
import { cellOf, type GridModel, isPending, refusalOf } from './model.ts';
import {
  type Bounds,
  clampSelection,
  type Motion,
  moveSelection,
  type Position,
  rangeOf,
  type Selection,
  single,
} from './navigation.ts';
import type { DataGridProps, GridReference } from './types.ts';

export interface GridContext {
  props: DataGridProps;
  model: GridModel;
  /** The element that scrolls. */
  viewport: HTMLElement | null;
  /** The element that takes the focus for all cells. */
  grid: HTMLElement | null;
}

export type GridActions = ReturnType<typeof createGridActions>;

/** The actions of keys, mouse and menu, outside React. Copy and paste are in their own files. */
export function createGridActions(store: GridStore, context: () => GridContext) {
  const bounds = (): Bounds => {
    const { model, viewport } = context();
    const height = (viewport?.clientHeight ?? 0) - headerHeight;
    return {
      rows: model.lines.length,
      columns: model.columns.length,
      pageRows: Math.max(1, Math.floor(height / rowHeight) - 1),
    };
  };

  const select = (next: Selection, options: { reveal?: boolean } = {}) => {
    const selection = clampSelection(next, bounds());
    store.setState({ selection, notice: null });
    if (options.reveal !== false) reveal(context(), selection.head);
    const { props, model } = context();
    const active = model.columns[selection.active.column];
    if (!props.onSelectionChange || !active || selection.active.row < 0) return;
    const { lines, columns } = covered(model, selection);
    props.onSelectionChange({
      active: { line: selection.active.row, column: active.name },
      lines,
      columns: columns.map(({ name }) => name),
    });
  };

  const focus = () => {
    const { grid } = context();
    grid?.focus({ preventScroll: true });
    // A menu returns the focus while React draws. React then ignores the focus event.
    if (grid && grid.ownerDocument.activeElement === grid) store.setState({ focused: true });
  };
  let noticeEnd: ReturnType<typeof setTimeout> | undefined;
  const say = (notice: string, options: { forMs?: number } = {}) => {
    clearTimeout(noticeEnd);
    store.setState({ notice });
    if (options.forMs === undefined) return;
    const end = () => store.setState((state) => (state.notice === notice ? { notice: null } : {}));
    noticeEnd = setTimeout(end, options.forMs);
  };
  const canEdit = () => context().props.onEdit !== undefined;

  /** Stages one value per column, in the lines that accept it. If nothing is staged, shows the first refusal. */
  const stageEach = (
    lines: number[],
    columns: PlacedColumn[],
    readValue: (column: PlacedColumn) => { cell: Cell } | { refusal: string },
  ) => {
    const { props, model } = context();
    if (!props.onEdit) return;
    let refusal: string | null = null;
    const edits: { line: number; column: string; cell: Cell }[] = [];
    for (const column of columns) {
      const value = readValue(column);
      for (const line of lines) {
        const own = refusalOf(model, line, column, props.readOnly);
        if (own !== null) refusal ??= own;
        else if ('refusal' in value) refusal ??= value.refusal;
        else {
          const current = cellOf(model, line, column);
          if (current === undefined || !sameCell(current, value.cell)) {
            edits.push({ line, column: column.name, cell: value.cell });
          }
        }
      }
    }
    if (edits.length > 0) props.onEdit(edits);
    else if (refusal) say(refusal);
  };
  /** Stages one value in the selected cells that accept it. */
  const setAll = (cell: Cell, takes: (column: PlacedColumn) => string | null) => {
    const { lines, columns } = covered(context().model, store.getState().selection);
    stageEach(lines, columns, (column) => {
      const refusal = takes(column);
      return refusal === null ? { cell } : { refusal };
    });
  };

  let openings = 0;
  const actions = {
    select,
    focus,
    say,
    canEdit,
    bounds,
    ...createColumnActions(context, say),

    move(motion: Motion, extend: boolean) {
      select(moveSelection(store.getState().selection, motion, bounds(), extend));
    },
    selectAll() {
      const { rows, columns } = bounds();
      const range = { active: { row: 0, column: 0 }, head: { row: rows - 1, column: columns - 1 } };
      select(range, { reveal: false });
    },
    selectRows(from: number, to: number) {
      const last = bounds().columns - 1;
      select({ active: { row: from, column: 0 }, head: { row: to, column: last } }, { reveal: false });
    },
    selectColumn(column: number) {
      const last = bounds().rows - 1;
      select({ active: { row: 0, column }, head: { row: last, column } }, { reveal: false });
    },

    /**
     * Opens an editor for the active cell. With `replace`, the editor of a short value starts empty. A cell that
     * cannot be changed can open only in the large editor, to be read. With `replace`, such a cell does not open. If no
     * editor opens, a notice gives the reason, if there is one.
     */
    edit(options: { replace?: boolean; large?: boolean } = {}) {
      const { props, model } = context();
      const { row, column: index } = store.getState().selection.active;
      const column = model.columns[index];
      if (!column || row < 0 || row >= model.lines.length) return;
      if (isPending(model, row, column)) return say('This value is not loaded yet');
      const refusal = canEdit() ? refusalOf(model, row, column, props.readOnly) : '';
      const line = model.lines[row];
      if (!line) return;
      const cell = cellOf(model, row, column);
      const isHelped = !options.replace && refusal === null && hasHelp(column.type);
      const large = options.large === true || isHelped || needsRoom(column.type, cell);
      if (refusal !== null && (options.replace || !large)) {
        if (refusal) say(refusal);
        return;
      }
      store.setState({
        selection: single({ row, column: index }),
        notice: null,
        editing: {
          row,
          column: index,
          name: column.name,
          mode: large ? 'large' : 'inline',
          replace: options.replace === true && !large,
          refusal,
          blocked: null,
          line,
          opening: ++openings,
          leave: { current: null },
          draft: { current: null },
        },
      });
      reveal(context(), { row, column: index });
    },
    /** Toggles a boolean, or shows the refusal. Returns false if the active cell is no boolean, or without `onEdit`. */
    toggle(): boolean {
      const { props, model } = context();
      const { row, column: index } = store.getState().selection.active;
      const column = model.columns[index];
      if (!column || row < 0 || !canEdit()) return false;
      const cell = cellOf(model, row, column);
      if (column.type !== 'boolean' && typeof cell !== 'boolean') return false;
      const refusal = refusalOf(model, row, column, props.readOnly);
      if (refusal) say(refusal);
      else props.onEdit?.([{ line: row, column: column.name, cell: cell !== true }]);
      return true;
    },
    /**
     * Stages the value and closes the editor, or says why the cell no longer accepts the value. `cell` undefined leaves
     * the cell unchanged. With `leave`, the focus is already elsewhere, or on its way there, and does not return.
     */
    commit(cell: Cell | undefined, then: 'stay' | 'down' | 'left' | 'right' | 'leave') {
      const { editing } = store.getState();
      if (!editing) return;
      const { props, model } = context();
      const column = editedColumn(model.columns, editing);
      if (cell !== undefined) {
        const isThere = column && model.lines[editing.row] === editing.line;
        const blocked = isThere ? refusalOf(model, editing.row, column, props.readOnly) : null;
        if (blocked !== null) {
          store.setState({ editing: { ...editing, blocked } });
          return;
        }
        store.setState({ editing: null });
        props.onEdit?.([{ line: editing.row, column: editing.name, cell, of: editing.line }]);
      }
      store.setState({ editing: null });
      if (then === 'down') select(single({ row: editing.row + 1, column: editing.column }));
      if (then === 'left' || then === 'right') {
        const next = nextEditable(model, editing, then === 'right' ? 1 : -1, props.readOnly);
        if (next) {
          select(single(next));
          // `focus` may remove a notice, so it comes before `edit`, which may show one.
          focus();
          actions.edit();
          return;
        }
      }
      if (then !== 'leave') focus();
    },
    cancel() {
      store.setState({ editing: null });
      focus();
    },
    /** Moves the focus back to an open editor, such as one that could not commit. Returns false if none is open. */
    stayInEditor(): boolean {
      const { editing } = store.getState();
      if (!editing) return false;
      reveal(context(), editing);
      const root =
        editing.mode === 'large' ? document.querySelector('[data-grid-popup]') : context().viewport;
      const editor = root?.querySelector<HTMLElement>('[data-grid-editor]');
      const inner = editor?.querySelector<HTMLElement>('[contenteditable]');
      (inner ?? editor)?.focus({ preventScroll: true });
      return true;
    },
    /** For a new page: scrolls to the first row. A cell of that row becomes active, unless a header is active. */
    toTop() {
      const { row, column } = store.getState().selection.active;
      const { viewport } = context();
      // After sorting by a header, that header stays active, so the next press sorts again.
      store.setState({ selection: single({ row: Math.min(row, 0), column }), editing: null });
      if (viewport) viewport.scrollTop = 0;
    },

    /** The rows that a cell points to. A row without a `target` cannot be opened. */
    references({ row, column: index }: Position = store.getState().selection.active): GridReference[] {
      const { model } = context();
      const column = model.columns[index];
      const cell = column && row >= 0 ? cellOf(model, row, column) : undefined;
      return (cell !== undefined && column?.references?.(cell)) || [];
    },
    openReference(index: number, position?: Position) {
      const target = actions.references(position)[index]?.target;
      if (target) context().props.onOpenReference?.(target);
    },

    setNull() {
      setAll(null, (column) => (column.nullable === false ? nullRefusal(column.name) : null));
    },
    setEmpty() {
      setAll('', (column) =>
        column.type === 'text' || column.type === 'any' ? null : `${column.name} does not hold text`,
      );
    },
    /** Copies the first row of the selection into its other rows. A single row gets the values of the row above it. */
    fillDown() {
      const { props, model } = context();
      const { lines, columns } = covered(model, store.getState().selection);
      const [first = 0] = lines;
      const source = lines.length > 1 ? first : first - 1;
      const targets = lines.length > 1 ? lines.slice(1) : lines;
      if (!props.onEdit || lines.length === 0) return;
      if (source < 0) return say('There is no row above to fill from');
      stageEach(targets, columns, (column) => {
        if (isPending(model, source, column)) return { refusal: 'The value to fill in is not loaded yet' };
        const cell = cellOf(model, source, column);
        if (isCutCell(cell)) return { refusal: 'The value to fill in is too large to be read whole here' };
        return cell === undefined ? { refusal: `${column.name} has no value to fill in` } : { cell };
      });
    },
    /** Opens the find bar, or moves the focus back to its field. */
    find() {
      store.setState(({ find, findOpened }) => ({
        find: find ?? { query: '', matches: [], at: 0, done: true },
        findOpened: findOpened + 1,
      }));
    },
    duplicateRows() {
      const { props } = context();
      const lines = actions.lines();
      if (lines.length === 0 || !props.onDuplicateRows) return;
      const refusal = props.readOnly ?? props.insertRefusal;
      if (refusal) return say(refusal);
      props.onDuplicateRows(lines);
    },
    /** The lines under the selection, each once. */
    lines(): number[] {
      return covered(context().model, store.getState().selection).lines;
    },
    deleteRows() {
      const { props, model } = context();
      const lines = actions.lines();
      if (lines.length === 0 || !props.onDeleteRows) return;
      if (lines.every((line) => model.lines[line]?.state === 'deleted')) return props.onRestoreRows?.(lines);
      // A new row is not in the database yet, so `deleteRefusal` does not apply to it.
      const isStored = lines.some((line) => model.lines[line]?.state !== 'inserted');
      const refusal = props.readOnly ?? (isStored && props.deleteRefusal);
      if (refusal) return say(refusal);
      const kept = lines.filter((line) => model.lines[line]?.state !== 'deleted');
      const fixed = kept.map((line) => model.lines[line]?.readOnly);
      if (fixed[0] && fixed.every(Boolean)) return say(fixed[0]);
      props.onDeleteRows(lines);
    },
  };
  return actions;
}

/** The lines and columns of a selection; none if a header is selected or the grid has no lines. */
export function covered(
  model: GridModel,
  selection: Selection,
): { lines: number[]; columns: PlacedColumn[] } {
  const { top, bottom, left, right } = rangeOf(selection);
  if (top < 0 || model.lines.length === 0) return { lines: [], columns: [] };
  const lines = Array.from(
    { length: Math.min(bottom, model.lines.length - 1) - top + 1 },
    (_, at) => top + at,
  );
  return { lines, columns: model.columns.slice(left, right + 1) };
}

function nextEditable(
  model: GridModel,
  from: Position,
  step: 1 | -1,
  readOnly: string | undefined,
): Position | null {
  for (let column = from.column + step; column >= 0 && column < model.columns.length; column += step) {
    const candidate = model.columns[column];
    if (candidate && refusalOf(model, from.row, candidate, readOnly) === null)
      return { row: from.row, column };
  }
  return null;
}

function reveal({ model, viewport, props }: GridContext, { row, column }: Position): void {
  const placed = model.columns[column];
  if (!viewport || !placed) return;
  if (row >= 0) {
    const top = model.offsets.top(row);
    const size = viewport.clientHeight - headerHeight;
    viewport.scrollTop = scrollToShow(viewport.scrollTop, size, top, model.offsets.top(row + 1));
  }
  if (!placed.pinned) {
    const hidden = model.gutterWidth + model.pinnedWidth + (props.covered ?? 0);
    const size = viewport.clientWidth - hidden;
    viewport.scrollLeft = scrollToShow(viewport.scrollLeft, size, placed.left, placed.left + placed.width);
  }
}
