import { useEffect, useState } from 'react';
import type { GridContext } from './grid-actions.ts';
import type { GridStore } from './grid-store.ts';
import { headerHeight } from './layout.ts';

/** Keeps the active cell visible when the grid loses height, as when a bar appears below it. */
export function useKeptInSight(
  viewport: HTMLElement | null,
  store: GridStore,
  context: () => GridContext,
): void {
  useEffect(() => {
    if (!viewport) return;
    let height = viewport.clientHeight;
    return onResize(viewport, () => {
      const before = height;
      height = viewport.clientHeight;
      const { row } = store.getState().selection.active;
      const bottom = headerHeight + context().model.offsets.top(row + 1) - viewport.scrollTop;
      if (bottom <= before && bottom > height) viewport.scrollTop += bottom - height;
    });
  }, [viewport, store, context]);
}

/**
 * The width of the viewport, but at most `most`: beyond `most`, a change of width need not draw the grid again. Infinity
 * until it is measured.
 */
export function useWidth(viewport: HTMLElement | null, most: number): number {
  const [width, setWidth] = useState(Number.POSITIVE_INFINITY);
  useEffect(() => {
    if (!viewport) return;
    const look = () => {
      // A tab in the background has no width.
      if (viewport.clientWidth > 0) setWidth(Math.min(most, viewport.clientWidth));
    };
    look();
    return onResize(viewport, look);
  }, [viewport, most]);
  return width;
}

function onResize(element: HTMLElement, act: () => void): () => void {
  const observer = new ResizeObserver(act);
  observer.observe(element);
  return () => observer.disconnect();
}
