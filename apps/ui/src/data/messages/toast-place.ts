import { type RefObject, useLayoutEffect, useState } from 'react';

/** The distance to keep between the toasts and the window's top and bottom edges. */
const margin = 16;
/** The distance between two tried positions, and the least distance between the toasts and a control. */
const step = 8;

const controls =
  'button, input, textarea, select, a[href], [role=combobox], [role=slider], [role=option], [role=menuitem]';

/**
 * How far above the window's bottom edge the toasts are placed. The toasts cover no control if a free place is found.
 * The search runs again when `messages`, the size of the toasts or the size of the window changes.
 */
export function useToastPlace(area: RefObject<HTMLElement | null>, messages: unknown): number {
  const [bottom, setBottom] = useState(margin);
  // biome-ignore lint/correctness/useExhaustiveDependencies: new messages may change the height
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
