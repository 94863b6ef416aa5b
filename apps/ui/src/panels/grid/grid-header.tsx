// biome-ignore-all lint/a11y/useSemanticElements: a table cannot have a separate layer for pinned columns
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and points at its cells
import { ArrowDown, ArrowUp, ChevronDown, KeyRound } from 'lucide-react';
import { type MouseEvent, memo, type PointerEvent, useRef } from 'react';
import { classNames } from '../../controls/styles/class-names.ts';
import styles from './data-grid.module.css';
import { gridFonts } from './fonts.ts';
import type { GridActions } from './grid-actions.ts';
import { HeaderOverlay } from './grid-overlay.tsx';
import type { GridStore } from './grid-store.ts';
import { cellPadding, headerHeight, type PlacedColumn } from './layout.ts';
import type { GridModel } from './model.ts';
import { single } from './navigation.ts';
import { isRightToLeft, textWidth, truncate } from './truncate.ts';
import type { ResizeWidth } from './use-grid-model.ts';

interface GridHeaderProps {
  gridId: string;
  store: GridStore;
  actions: GridActions;
  model: GridModel;
  columns: PlacedColumn[];
  sortable: boolean;
  onResize(column: PlacedColumn, width: ResizeWidth, done: boolean): void;
}

/** The header of the pinned columns. For assistive technology, its row also owns the other header cells. */
export const PinnedHeader = memo(function PinnedHeader(props: GridHeaderProps & { owned: PlacedColumn[] }) {
  const { gridId, model, owned } = props;
  return (
    <div role="rowgroup" className={styles.header} style={{ height: headerHeight }}>
      <div
        role="row"
        aria-rowindex={1}
        aria-owns={owned.map(({ index }) => headerId(gridId, index)).join(' ') || undefined}
        className={styles.headerRow}
      >
        <div
          role="columnheader"
          aria-colindex={1}
          className={classNames(styles.gutter, styles.corner)}
          style={{ width: model.gutterWidth, height: headerHeight }}
          data-corner
        >
          <span className={styles.hidden}>Row</span>
        </div>
        {props.columns.map((column) => (
          <HeaderCell key={column.index} {...props} column={column} offset={model.gutterWidth} />
        ))}
      </div>
      <HeaderOverlay store={props.store} model={model} pinned />
    </div>
  );
});

export const CentreHeader = memo(function CentreHeader(props: GridHeaderProps) {
  return (
    <div role="presentation" className={styles.header} style={{ height: headerHeight }}>
      <div role="presentation" className={styles.headerRow}>
        {props.columns.map((column) => (
          <HeaderCell key={column.index} {...props} column={column} offset={0} />
        ))}
      </div>
      <HeaderOverlay store={props.store} model={props.model} pinned={false} />
    </div>
  );
});

function headerId(gridId: string, column: number): string {
  return `${gridId}-h-${column}`;
}

function HeaderCell({
  gridId,
  column,
  offset,
  sortable,
  actions,
  onResize,
}: Omit<GridHeaderProps, 'columns'> & { column: PlacedColumn; offset: number }) {
  const canSort = sortable && !column.unsortable;
  const { name, type } = headerText(column);
  return (
    <div
      id={headerId(gridId, column.index)}
      role="columnheader"
      aria-colindex={column.index + 2}
      aria-sort={
        column.sort ? (column.sort === 'asc' ? 'ascending' : 'descending') : canSort ? 'none' : undefined
      }
      aria-label={column.nativeType ? `${column.name}, ${column.nativeType}` : column.name}
      className={classNames(styles.headerCell, column.numeric && styles.right, canSort && styles.sortable)}
      style={{ left: offset + column.left, width: column.width, height: headerHeight }}
      title={headerTitle(column)}
      data-header={column.index}
    >
      {column.inKey && <KeyRound size={11} aria-hidden className={styles.keyIcon} />}
      <span className={styles.headerName} dir={isRightToLeft(name) ? 'rtl' : undefined}>
        {name}
      </span>
      {type && <span className={styles.headerType}>{type}</span>}
      {column.sort === 'asc' && <ArrowUp size={12} aria-hidden className={styles.sortIcon} />}
      {column.sort === 'desc' && <ArrowDown size={12} aria-hidden className={styles.sortIcon} />}
      {column.sortPlace && <span className={styles.sortPlace}>{column.sortPlace}</span>}
      <button
        type="button"
        tabIndex={-1}
        className={styles.columnMenu}
        aria-label={`Menu of ${column.name}`}
        aria-haspopup="menu"
        data-column-menu
        onClick={(event) => openMenu(event, column, actions)}
      >
        <ChevronDown size={12} aria-hidden />
      </button>
      <ResizeHandle column={column} onResize={onResize} />
    </div>
  );
}

/** Opens the header's menu below the header. Shift+F10 and Alt+Down open the same menu. */
function openMenu(event: MouseEvent<HTMLElement>, column: PlacedColumn, actions: GridActions): void {
  event.stopPropagation();
  const header = event.currentTarget.closest('[data-header]');
  if (!header || actions.stayInEditor()) return;
  actions.select(single({ row: -1, column: column.index }));
  const { left, bottom } = header.getBoundingClientRect();
  const place = { clientX: left, clientY: bottom + 2, bubbles: true, cancelable: true };
  header.dispatchEvent(new window.MouseEvent('contextmenu', place));
}

function ResizeHandle({ column, onResize }: { column: PlacedColumn; onResize: GridHeaderProps['onResize'] }) {
  const drag = useRef<{ x: number; width: number } | null>(null);
  const widthAt = (event: PointerEvent) =>
    drag.current && Math.max(48, drag.current.width + event.clientX - drag.current.x);
  return (
    <span
      className={styles.resize}
      data-resize
      aria-hidden
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.stopPropagation();
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
        drag.current = { x: event.clientX, width: column.width };
      }}
      onPointerMove={(event) => {
        const width = widthAt(event);
        if (width !== null) onResize(column, width, false);
      }}
      onPointerUp={(event) => {
        const width = widthAt(event);
        const moved = drag.current && event.clientX !== drag.current.x;
        drag.current = null;
        if (width !== null) onResize(column, moved ? width : 'before', true);
      }}
      // Without this handler, a cancelled drag would go on: the width would follow the pointer with no button pressed.
      onPointerCancel={() => {
        if (drag.current) onResize(column, 'before', true);
        drag.current = null;
      }}
      onClick={(event) => event.stopPropagation()}
      onDoubleClick={(event) => {
        event.stopPropagation();
        onResize(column, 'fit', true);
      }}
    />
  );
}

/** The name and the type of a column. If there is no room for both, the type is left out. */
function headerText(column: PlacedColumn): { name: string; type: string | null } {
  const { ui } = gridFonts();
  const room =
    column.width -
    2 * cellPadding -
    (column.inKey ? 16 : 0) -
    (column.sort ? 16 : 0) -
    (column.sortPlace ? 12 : 0);
  const wide = textWidth(column.name, ui) * 1.06;
  const typeWidth = column.nativeType ? textWidth(column.nativeType, ui) * 0.92 + 6 : 0;
  if (column.nativeType && wide + typeWidth <= room) return { name: column.name, type: column.nativeType };
  return { name: truncate(column.name, room / 1.06, ui), type: null };
}

function headerTitle(column: PlacedColumn): string {
  return [
    column.nativeType ? `${column.name} · ${column.nativeType}` : column.name,
    column.comment,
    column.readOnly && `Read only: ${column.readOnly}`,
    column.unsortable && `Cannot be sorted: ${column.unsortable}`,
  ]
    .filter(Boolean)
    .join('\n');
}
