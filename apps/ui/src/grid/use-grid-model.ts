import { useCallback, useMemo, useRef, useState } from 'react';
import { gridFonts } from './fonts.ts';
import { autoWidth, lineOffsets, type PlacedColumn, placeColumns, unpinned } from './layout.ts';
import type { GridModel } from './model.ts';
import type { DataGridProps, GridColumn, GridLine } from './types.ts';
import { useIsWide } from './use-viewport-changes.ts';

/** What is left for the columns that scroll, at least. */
const leastCentre = 100;

/** The model of the props, with the widths the user is dragging right now. */
export function useGridModel(
  props: DataGridProps,
  viewport: HTMLElement | null,
): {
  model: GridModel;
  resize(column: PlacedColumn, width: number | null, done: boolean): void;
} {
  const { rows, firstRowNumber = 1, deferredCell } = props;
  const [dragged, setDragged] = useState<Record<string, number>>({});
  // Widths found once hold for the tab: columns must not jump from page to page.
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
        columns.map((column) => ({ ...column, width: dragged[idOf(column)] ?? column.width })),
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
  // Where the pinned columns leave no room, no scrolling would ever bring another one into view.
  const pins = useIsWide(viewport, gutterWidth + placed.pinnedWidth + leastCentre);
  const shown = useMemo(() => (pins ? placed : unpinned(placed)), [pins, placed]);
  const model = useMemo(
    () => ({ ...shown, rows, lines, offsets, gutterWidth, firstRowNumber, deferredCell }),
    [shown, rows, lines, offsets, gutterWidth, firstRowNumber, deferredCell],
  );

  const onResizeColumn = useRef(props.onResizeColumn);
  onResizeColumn.current = props.onResizeColumn;
  const resize = useCallback((column: PlacedColumn, width: number | null, done: boolean) => {
    const id = idOf(column);
    if (width === null) automatic.current.delete(id);
    // Where the owner keeps widths, the one dragged is only a preview of it.
    const owned = done && onResizeColumn.current !== undefined;
    setDragged(({ [id]: _, ...others }) => (owned || width === null ? others : { ...others, [id]: width }));
    if (done) onResizeColumn.current?.(column.name, width);
  }, []);
  return { model, resize };
}

function idOf({ name, at }: GridColumn): string {
  return at === undefined ? name : `${at}:${name}`;
}
