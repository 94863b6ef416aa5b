import { type RefObject, useLayoutEffect, useState } from 'react';
import styles from './data-grid.module.css';

/** Whether a message below a cell would reach past the right edge of the grid. Then its right edge is the cell's. */
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
