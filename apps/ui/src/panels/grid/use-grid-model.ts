import { ownValue } from '@trestle/driver-kit';
import { useCallback, useMemo, useRef, useState } from 'react';
import { gridFonts } from './fonts.ts';
import {
  autoWidth,
  fitWidth,
  lineOffsets,
  narrowed,
  type PlacedColumn,
  placeColumns,
  unpinned,
} from './layout.ts';
import type { GridModel } from './model.ts';
import type { DataGridProps, GridColumn, GridLine } from './types.ts';
import { useWidth } from './use-viewport-changes.ts';

/** The largest part of the grid's width that pinned columns may take. */
const pinnedShare = 1 / 3;
/**
 * Pinned columns do not shrink below this total width: their values would be cut so short that rows look alike. They
 * scroll with the other columns instead.
 */
const leastPinned = 90;

/** `fitAll` measures about this many cells: to measure every cell of a large page would block the window. */
const measuredCells = 30_000;

export type ResizeWidth = number | 'fit' | 'before' | null;

/**
 * The grid's model for these props. It includes the width during a drag. Without `columnActs`, it also includes the
 * widths that the user set.
 */
export function useGridModel(
  props: DataGridProps,
  viewport: HTMLElement | null,
): {
  model: GridModel;
  /** `fit`: as wide as the column's values on this page; `before`: as before the drag; null: the automatic width. */
  resize(column: PlacedColumn, width: ResizeWidth, done: boolean): void;
  /** Fits every column to its values on this page. On a large page only the first rows are measured. */
  fitAll(): void;
} {
  const { rows, firstRowNumber = 1, deferredCell, covered = 0 } = props;
  const [dragged, setDragged] = useState<Record<string, number>>({});
  // Keeps the automatic widths, so that columns do not jump from page to page.
  const automatic = useRef(new Map<string, number>());

  const columns = useMemo(
    (): GridColumn[] => props.columns ?? rows.columns.map((head, at) => ({ ...head, at })),
    [props.columns, rows],
  );
  const lines = useMemo(
    (): GridLine[] => props.lines ?? Array.from({ length: rows.rowCount }, (_, at) => ({ at })),
    [props.lines, rows],
  );
  const placed = useMemo(
    () =>
      placeColumns(
        columns.map((column) => ({ ...column, width: ownValue(dragged, idOf(column)) ?? column.width })),
        rows,
        (column) => {
          const known = automatic.current.get(idOf(column));
          if (known !== undefined) return known;
          const width = autoWidth(column, rows, gridFonts());
          if (rows.rowCount > 0) automatic.current.set(idOf(column), width);
          return width;
        },
      ),
    [columns, rows, dragged],
  );
  const offsets = useMemo(() => lineOffsets(lines), [lines]);
  const gutterWidth = Math.max(40, String(firstRowNumber + rows.rowCount).length * 8 + 18);
  const width = useWidth(viewport, 3 * placed.pinnedWidth + covered) - covered;
  // In a narrow window, the pinned columns first shrink. If they would show too little, they scroll
  // with the other columns.
  const shown = useMemo(() => {
    const pinned = narrowed(placed, Math.floor(width * pinnedShare));
    return pinned.pinnedWidth < leastPinned && pinned !== placed ? unpinned(placed) : pinned;
  }, [width, placed]);
  const model = useMemo(
    () => ({ ...shown, rows, lines, offsets, gutterWidth, firstRowNumber, deferredCell }),
    [shown, rows, lines, offsets, gutterWidth, firstRowNumber, deferredCell],
  );

  const columnActs = useRef(props.columnActs);
  columnActs.current = props.columnActs;
  const latestRows = useRef(rows);
  latestRows.current = rows;
  const latestDragged = useRef(dragged);
  latestDragged.current = dragged;
  const beforeDrag = useRef<{ width: number | undefined } | null>(null);
  const resize = useCallback((column: PlacedColumn, wanted: ResizeWidth, done: boolean) => {
    const id = idOf(column);
    if (!done) beforeDrag.current ??= { width: ownValue(latestDragged.current, id) };
    const before = beforeDrag.current;
    if (done) beforeDrag.current = null;
    if (wanted === 'before') {
      if (!before) return;
      const { width } = before;
      setDragged(({ [id]: _, ...others }) => (width === undefined ? others : { ...others, [id]: width }));
      return;
    }
    const width = wanted === 'fit' ? fitWidth(column, latestRows.current, gridFonts()) : wanted;
    if (width === null) automatic.current.delete(id);
    // If `columnActs` stores the widths, the dragged width is only a preview.
    const owned = done && columnActs.current !== undefined;
    setDragged(({ [id]: _, ...others }) => (owned || width === null ? others : { ...others, [id]: width }));
    if (done) columnActs.current?.resize({ [column.name]: width });
  }, []);
  const latestColumns = useRef(model.columns);
  latestColumns.current = model.columns;
  const fitAll = useCallback(() => {
    const placedNow = latestColumns.current;
    const rowsNow = latestRows.current;
    const rowsEach = Math.ceil(measuredCells / Math.max(1, placedNow.length));
    const widths = placedNow.map((column) => fitWidth(column, rowsNow, gridFonts(), rowsEach));
    if (!columnActs.current) {
      setDragged(Object.fromEntries(placedNow.map((column, at) => [idOf(column), widths[at] as number])));
    }
    columnActs.current?.resize(
      Object.fromEntries(placedNow.map(({ name }, at) => [name, widths[at] as number])),
    );
  }, []);
  return { model, resize, fitAll };
}

function idOf({ name, at }: GridColumn): string {
  return at === undefined ? name : `${at}:${name}`;
}
