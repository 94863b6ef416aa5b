import { type RefObject, useLayoutEffect, useState } from 'react';

/** The least distance from the window's top and bottom edges. */
const margin = 16;
/** The distance between two positions that are tried, and the least distance from a control. */
const step = 8;

const controls =
  'button, input, textarea, select, a[href], [role=combobox], [role=slider], [role=option], [role=menuitem]';

/**
 * How far above the bottom edge toasts are placed. When a toast appears or goes, or when the toasts or the window change
 * their size, the toasts move to a place where they cover no control, if there is one.
 */
export function useToastPlace(area: RefObject<HTMLElement | null>, messages: unknown): number {
  const [bottom, setBottom] = useState(margin);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another message has another height
  useLayoutEffect(() => {
    const element = area.current;
    if (!element) return;
    const look = () => setBottom(freePlace(element));
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    window.addEventListener('resize', look);
    return () => {
      observer.disconnect();
      window.removeEventListener('resize', look);
    };
  }, [area, messages]);
  return bottom;
}

function freePlace(area: HTMLElement): number {
  const { left, right, height } = area.getBoundingClientRect();
  if (height === 0) return margin;
  const taken = [...document.querySelectorAll<HTMLElement>(controls)]
    .filter((element) => !area.contains(element) && element.checkVisibility({ visibilityProperty: true }))
    .map((element) => element.getBoundingClientRect())
    .filter((box) => box.right > left && box.left < right);
  for (let bottom = margin; bottom + height + margin < innerHeight; bottom += step) {
    const low = innerHeight - bottom;
    if (!taken.some((box) => box.top < low + step && box.bottom > low - height - step)) return bottom;
  }
  return margin;
}
