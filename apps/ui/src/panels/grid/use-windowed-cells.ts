import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useMemo, useReducer, useRef } from 'react';
import { fewColumns, fewLines, type Span } from './few-at-once.ts';
import type { GridStore } from './grid-store.ts';
import { messageHeight, type PlacedColumn, rowHeight } from './layout.ts';
import type { GridModel } from './model.ts';

/** The lines and columns to draw now. The column arrays stay the same objects until their content changes. */
interface WindowedCells {
  lines: number[];
  pinned: PlacedColumn[];
  centre: PlacedColumn[];
  /** The width of the viewport. */
  width: number;
}

export function useWindowedCells(options: {
  model: GridModel;
  viewport: HTMLElement | null;
  store: GridStore;
  onVisibleLines?(first: number, last: number): void;
}): WindowedCells {
  const { model, viewport, store } = options;
  const pinned = useMemo(() => model.columns.filter((column) => column.pinned), [model.columns]);
  const others = useMemo(() => model.columns.filter((column) => !column.pinned), [model.columns]);
  const rows = useVirtualizer({
    count: model.lines.length,
    getScrollElement: () => viewport,
    estimateSize: (index) => (model.lines[index]?.message ? rowHeight + messageHeight : rowHeight),
    overscan: 2,
    // The row of the active cell is drawn even when it is scrolled out of view: the focus points at that cell.
    rangeExtractor: (range) => {
      const drawn = defaultRangeExtractor(range);
      const { row } = store.getState().selection.active;
      const missing = row >= 0 && row < range.count && !drawn.includes(row);
      return missing ? [...drawn, row].sort((a, b) => a - b) : drawn;
    },
  });
  const columns = useVirtualizer({
    horizontal: true,
    count: others.length,
    getScrollElement: () => viewport,
    estimateSize: (index) => others[index]?.width ?? 0,
    overscan: 1,
  });

  const tall = useMemo(
    () => model.lines.flatMap((line, index) => (line.message ? [index] : [])).join(),
    [model.lines],
  );
  const widths = others.map(({ width }) => width).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect runs when the sizes change
  useLayoutEffect(() => rows.measure(), [tall, rows]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  useLayoutEffect(() => columns.measure(), [widths, columns]);

  const inView = columns.getVirtualItems();
  const wanted = {
    lines: rows.getVirtualItems().map(({ index }) => index),
    columns: { first: inView[0]?.index ?? 0, last: inView.at(-1)?.index ?? -1 },
  };
  const { lines, first, last } = useFewAtOnce(wanted, store.getState().selection.active.row);
  const centre = useMemo(() => others.slice(first, last + 1), [others, first, last]);
  const { startIndex = 0, endIndex = -1 } = rows.range ?? {};
  const { onVisibleLines } = options;
  useEffect(() => {
    if (endIndex >= startIndex) onVisibleLines?.(startIndex, endIndex);
  }, [startIndex, endIndex, onVisibleLines]);
  return { lines, pinned, centre, width: columns.scrollRect?.width ?? 0 };
}

/** Drawing this many cells takes about 15 ms on a slow machine. One step of the mouse wheel usually draws fewer. */
const mostNewCells = 240;

/** Draws the wanted cells in parts, each in a task of its own, if many of them are new. */
function useFewAtOnce(
  wanted: { lines: number[]; columns: Span },
  active: number,
): { lines: number[] } & Span {
  const [, drawMore] = useReducer((times: number) => times + 1, 0);
  const drawn = useRef<{ lines: Set<number>; columns: Span }>({ lines: new Set(), columns: nothing });
  const width = wanted.columns.last - wanted.columns.first + 1;
  const share = (others: number) => Math.max(2, Math.floor(mostNewCells / Math.max(1, others)));
  const lines = fewLines(wanted.lines, drawn.current.lines, share(width), active);
  const columns = fewColumns(wanted.columns, drawn.current.columns, share(wanted.lines.length));
  const isWhole =
    lines.length === wanted.lines.length &&
    columns.first === wanted.columns.first &&
    columns.last === wanted.columns.last;
  useLayoutEffect(() => {
    drawn.current = { lines: new Set(lines), columns };
    if (isWhole) return;
    // Not requestAnimationFrame: its callbacks run in the same task as scroll events.
    const timer = setTimeout(drawMore);
    return () => clearTimeout(timer);
  });
  return { lines, ...columns };
}

const nothing: Span = { first: 0, last: -1 };
