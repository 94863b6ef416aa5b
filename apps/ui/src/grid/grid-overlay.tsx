import { useStore } from 'zustand';
import { classNames } from '../shared/class-names.ts';
import { CellEditor } from './cell-editor.tsx';
import styles from './data-grid.module.css';
import type { GridActions } from './grid-actions.ts';
import type { GridStore } from './grid-store.ts';
import { headerHeight, rowHeight } from './layout.ts';
import type { GridModel } from './model.ts';
import { isSingle, rangeOf } from './navigation.ts';

/** Selection, active cell, notice and editor of one layer: all that changes while the user moves. */
export function GridOverlay(props: {
  store: GridStore;
  model: GridModel;
  actions: GridActions;
  pinned: boolean;
  /** Marks the active cell for the large editor, which opens beside it. */
  anchor: React.RefObject<HTMLDivElement | null>;
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
      {!isSingle(selection) && <RangeBox {...props} />}
      {box && (
        <div
          ref={props.anchor}
          aria-hidden
          className={classNames(styles.active, (focused || editing) && styles.focused)}
          style={box}
        />
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

/** The same for a header cell; the header is a layer of its own. */
export function HeaderOverlay({
  store,
  model,
  pinned,
}: {
  store: GridStore;
  model: GridModel;
  pinned: boolean;
}) {
  const { selection, focused } = useStore(store);
  const column = model.columns[selection.active.column];
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
