import { useStore } from 'zustand';
import { classNames } from '../shared/class-names.ts';
import { CellEditor } from './cell-editor.tsx';
import styles from './data-grid.module.css';
import { FindMarks } from './find-marks.tsx';
import { gridFonts } from './fonts.ts';
import type { GridActions } from './grid-actions.ts';
import type { GridStore } from './grid-store.ts';
import { cellPadding, headerHeight, type PlacedColumn, rowHeight } from './layout.ts';
import { displayOf, type GridModel } from './model.ts';
import { isSingle, type Position, rangeOf } from './navigation.ts';
import { textWidth } from './truncate.ts';

/** Selection, active cell, notice and editor of one layer: everything that changes while the user moves. */
export function GridOverlay(props: {
  store: GridStore;
  model: GridModel;
  actions: GridActions;
  pinned: boolean;
  /** Marks the active cell for the large editor, which opens beside it. */
  anchor: React.RefObject<HTMLDivElement | null>;
  /** The lines and columns that are drawn. */
  lines: number[];
  columns: PlacedColumn[];
}) {
  const { store, model, pinned } = props;
  const { selection, editing, focused, notice } = useStore(store);
  const { active } = selection;
  const column = model.columns[active.column];
  const here = column?.pinned === pinned && active.row < model.lines.length;
  const offset = pinned ? model.gutterWidth : 0;
  const box = here &&
    active.row >= 0 && {
      top: model.offsets.top(active.row),
      left: offset + column.left,
      width: column.width,
      height: rowHeight,
    };
  return (
    <div className={styles.overlay} style={{ top: headerHeight }}>
      <FindMarks {...props} offset={offset} />
      {!isSingle(selection) && <RangeBox {...props} />}
      {box && (
        <div
          ref={props.anchor}
          aria-hidden
          className={classNames(styles.active, (focused || editing) && styles.focused)}
          style={box}
        />
      )}
      {box && focused && !editing && isSingle(selection) && (
        <WholeValue model={model} active={active} box={box} />
      )}
      {box && notice && focused && (
        <div aria-hidden className={styles.notice} style={{ top: box.top + rowHeight + 2, left: box.left }}>
          {notice}
        </div>
      )}
      {box && editing?.mode === 'inline' && (
        <CellEditor
          key={editing.opening}
          {...props}
          editing={editing}
          box={box}
          above={active.row > 0 && active.row >= model.lines.length - 2}
        />
      )}
    </div>
  );
}

/** The `exact` value, drawn over a cell that shows another form of it. It may cover the next cells. */
function WholeValue(props: {
  model: GridModel;
  active: Position;
  box: { top: number; left: number; width: number; height: number };
}) {
  const { model, active, box } = props;
  const column = model.columns[active.column];
  const line = model.lines[active.row];
  const display = column && line && displayOf(model, line, active.row, column);
  if (display?.exact === undefined || display.exact === display.text) return null;
  const width = Math.max(box.width, textWidth(display.exact, gridFonts().mono) + 2 * cellPadding);
  // The box must not reach past the last column: that would make the grid wider.
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

/** The overlay of the header, which is a separate layer: the active header cell, or where a dragged column would go. */
export function HeaderOverlay({
  store,
  model,
  pinned,
}: {
  store: GridStore;
  model: GridModel;
  pinned: boolean;
}) {
  const { selection, focused, columnDrag } = useStore(store);
  const column = model.columns[selection.active.column];
  const target = columnDrag ? model.columns[columnDrag.to] : undefined;
  if (columnDrag && target) {
    if (target.pinned !== pinned) return null;
    const left = target.left + (columnDrag.side === 'after' ? target.width : 0) - 1;
    const line = { left: left + (pinned ? model.gutterWidth : 0), height: headerHeight };
    return <div aria-hidden className={styles.dropLine} style={line} />;
  }
  if (selection.active.row >= 0 || !column || column.pinned !== pinned) return null;
  return (
    <div
      aria-hidden
      className={classNames(styles.active, focused && styles.focused)}
      style={{
        top: 0,
        left: column.left + (pinned ? model.gutterWidth : 0),
        width: column.width,
        height: headerHeight,
      }}
    />
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
        left: (pinned ? model.gutterWidth : 0) + first.left,
        width: last.left + last.width - first.left,
        height: model.offsets.top(Math.min(range.bottom, model.lines.length - 1)) + rowHeight - top,
      }}
    />
  );
}
