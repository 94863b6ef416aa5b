import { type RefObject, useLayoutEffect, useState } from 'react';
import styles from './data-grid.module.css';

/** Whether a message at a cell would reach past the right edge of the grid. Then it ends at the cell's right edge. */
export function useLeftward(message: RefObject<HTMLElement | null>, text: string | null): boolean {
  const [leftward, setLeftward] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text has another width
  useLayoutEffect(() => {
    const element = message.current;
    const view = element?.closest(`.${styles.viewport}`);
    if (!element || !view) return;
    const edge = element.parentElement!.getBoundingClientRect().left + element.offsetWidth;
    setLeftward(edge > view.getBoundingClientRect().left + view.clientWidth);
  }, [text]);
  return leftward;
}
