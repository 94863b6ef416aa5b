import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useMemo } from 'react';
import type { GridStore } from './grid-store.ts';
import { messageHeight, type PlacedColumn, rowHeight } from './layout.ts';
import type { GridModel } from './model.ts';

/** The lines and columns to draw now. The column arrays stay the same objects until their content changes. */
export interface WindowedCells {
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
    overscan: 4,
    // The active cell stays in the page even when it is scrolled out of view: the focus points at it.
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
    overscan: 2,
  });

  const tall = useMemo(
    () => model.lines.flatMap((line, index) => (line.message ? [index] : [])).join(),
    [model.lines],
  );
  const widths = others.map(({ width }) => width).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs when the sizes change
  useLayoutEffect(() => rows.measure(), [tall, rows]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  useLayoutEffect(() => columns.measure(), [widths, columns]);

  const drawn = columns.getVirtualItems();
  const first = drawn[0]?.index ?? 0;
  const last = drawn.at(-1)?.index ?? -1;
  const centre = useMemo(() => others.slice(first, last + 1), [others, first, last]);
  const lines = rows.getVirtualItems().map(({ index }) => index);
  const { startIndex = 0, endIndex = -1 } = rows.range ?? {};
  const { onVisibleLines } = options;
  useEffect(() => {
    if (endIndex >= startIndex) onVisibleLines?.(startIndex, endIndex);
  }, [startIndex, endIndex, onVisibleLines]);
  return { lines, pinned, centre, width: columns.scrollRect?.width ?? 0 };
}
