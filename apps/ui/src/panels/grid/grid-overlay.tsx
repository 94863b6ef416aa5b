import { useMemo } from 'react';
import { useStore } from 'zustand';
import { classNames } from '../../controls/styles/class-names.ts';
import { CellEditor } from './cell-editor.tsx';
import styles from './data-grid.module.css';
import { gridFonts } from './fonts.ts';
import type { GridActions } from './grid-actions.ts';
import { type Box, GridNotice } from './grid-notice.tsx';
import { editedColumn, type GridStore } from './grid-store.ts';
import { cellPadding, headerHeight, type PlacedColumn, rowHeight } from './layout.ts';
import { displayOf, type GridModel } from './model.ts';
import { isSingle, type Position, rangeOf } from './navigation.ts';
import { textWidth } from './truncate.ts';

/** The parts of one layer that change often, such as the selection, the active cell and the editor. */
export function GridOverlay(props: {
  store: GridStore;
  model: GridModel;
  actions: GridActions;
  pinned: boolean;
  /** A box over the edited cell, or over the active cell if no editor is open. The large editor opens beside it. */
  anchor: React.RefObject<HTMLDivElement | null>;
  /** The lines and columns that are drawn. */
  lines: number[];
  columns: PlacedColumn[];
}) {
  const { store, model, pinned } = props;
  const { selection, editing, focused, notice } = useStore(store);
  const { active } = selection;
  const box = boxOf(model, pinned, active.row, model.columns[active.column]);
  // Find may move the active cell while an editor with a problem stays open.
  const edited = editing && boxOf(model, pinned, editing.row, editedColumn(model.columns, editing));
  const anchored = editing ? edited : box;
  return (
    <div className={styles.overlay} style={{ top: headerHeight }}>
      <FindMarks {...props} offset={offsetOf(model, pinned)} />
      {!isSingle(selection) && <RangeBox {...props} />}
      {anchored && <div ref={props.anchor} aria-hidden className={styles.anchor} style={anchored} />}
      {box && (
        <div
          aria-hidden
          className={classNames(styles.active, (focused || editing) && styles.focused)}
          style={box}
        />
      )}
      {box && focused && !editing && isSingle(selection) && (
        <WholeValue model={model} active={active} box={box} />
      )}
      {box && notice && focused && <GridNotice text={notice} box={box} />}
      {edited && editing.mode === 'inline' && (
        <CellEditor
          key={editing.opening}
          {...props}
          editing={editing}
          box={edited}
          above={editing.row > 0 && editing.row >= model.lines.length - 2}
        />
      )}
    </div>
  );
}

function offsetOf(model: GridModel, pinned: boolean): number {
  return pinned ? model.gutterWidth : 0;
}

/** The box of a cell; null if its column is in the other layer, or if the page has no such cell. */
function boxOf(model: GridModel, pinned: boolean, row: number, column: PlacedColumn | undefined): Box | null {
  if (column?.pinned !== pinned || row < 0 || row >= model.lines.length) return null;
  const left = offsetOf(model, pinned) + column.left;
  return { top: model.offsets.top(row), left, width: column.width, height: rowHeight };
}

/** The `exact` value, drawn over a cell that shows another form of it. It may cover the next cells. */
function WholeValue(props: { model: GridModel; active: Position; box: Box }) {
  const { model, active, box } = props;
  const column = model.columns[active.column];
  const line = model.lines[active.row];
  const display = column && line && displayOf(model, line, active.row, column);
  if (display?.exact === undefined || display.exact === display.text) return null;
  const width = Math.max(box.width, textWidth(display.exact, gridFonts().mono) + 2 * cellPadding);
  // If the box reached past the last column, the grid would become wider.
  const end = model.gutterWidth + model.pinnedWidth + model.centreWidth;
  const left = Math.max(0, Math.min(box.left, (column?.pinned ? end : model.centreWidth) - width));
  return (
    <div
      aria-hidden
      className={classNames(styles.whole, column?.numeric && styles.alignRight)}
      style={{ top: box.top, left, width, height: box.height }}
    >
      {display.exact}
    </div>
  );
}

/**
 * The overlay of the header, which is a separate layer: the active header cell and its notice, or where a dragged
 * column would go.
 */
export function HeaderOverlay({
  store,
  model,
  pinned,
}: {
  store: GridStore;
  model: GridModel;
  pinned: boolean;
}) {
  const { selection, focused, columnDrag, notice } = useStore(store);
  const column = model.columns[selection.active.column];
  const target = columnDrag ? model.columns[columnDrag.to] : undefined;
  if (columnDrag && target) {
    if (target.pinned !== pinned) return null;
    const left = target.left + (columnDrag.side === 'after' ? target.width : 0) - 1;
    const line = { left: left + offsetOf(model, pinned), height: headerHeight };
    return <div aria-hidden className={styles.dropLine} style={line} />;
  }
  if (column?.pinned !== pinned) return null;
  const left = offsetOf(model, pinned) + column.left;
  const box = { top: 0, left, width: column.width, height: headerHeight };
  const isActive = selection.active.row < 0;
  // A page without rows has no cell that could show a notice.
  const shown = (isActive || model.lines.length === 0) && focused ? notice : null;
  return (
    <>
      {isActive && (
        <div aria-hidden className={classNames(styles.active, focused && styles.focused)} style={box} />
      )}
      {shown && <GridNotice text={shown} box={box} />}
    </>
  );
}

function RangeBox({ store, model, pinned }: { store: GridStore; model: GridModel; pinned: boolean }) {
  const range = rangeOf(store.getState().selection);
  const columns = model.columns
    .slice(range.left, range.right + 1)
    .filter((column) => column.pinned === pinned);
  const [first] = columns;
  const last = columns.at(-1);
  if (!first || !last || range.top < 0) return null;
  const top = model.offsets.top(range.top);
  return (
    <div
      aria-hidden
      className={styles.range}
      style={{
        top,
        left: offsetOf(model, pinned) + first.left,
        width: last.left + last.width - first.left,
        height: model.offsets.top(Math.min(range.bottom, model.lines.length - 1)) + rowHeight - top,
      }}
    />
  );
}

/** Highlights each visible cell that contains the searched text. */
function FindMarks(props: {
  store: GridStore;
  model: GridModel;
  lines: number[];
  columns: PlacedColumn[];
  /** Where the layer's columns start. */
  offset: number;
}) {
  const { model, columns, offset } = props;
  const matches = useStore(props.store, ({ find }) => find?.matches);
  const byRow = useMemo(() => Map.groupBy(matches ?? [], ({ row }) => row), [matches]);
  if (byRow.size === 0) return null;
  return props.lines.flatMap((row) => {
    const here = new Set(byRow.get(row)?.map(({ column }) => column));
    return columns.flatMap((column) =>
      here.has(column.index)
        ? [
            <div
              key={`${row} ${column.index}`}
              aria-hidden
              className={styles.found}
              style={{
                top: model.offsets.top(row),
                left: offset + column.left,
                width: column.width,
                height: rowHeight,
              }}
            />,
          ]
        : [],
    );
  });
}
