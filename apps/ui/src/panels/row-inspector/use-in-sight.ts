import { type RefObject, useEffect, useRef } from 'react';

/** Scrolls the element into view when its column becomes active, and for each new row while the column is active. */
export function useInSight(isActive: boolean, rowId: string): RefObject<HTMLDivElement | null> {
  const element = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another row has other heights
  useEffect(() => {
    if (!isActive) return;
    // A pane that opens has its height only in the next frame.
    const frame = requestAnimationFrame(() => element.current?.scrollIntoView({ block: 'nearest' }));
    return () => cancelAnimationFrame(frame);
  }, [isActive, rowId]);
  return element;
}
