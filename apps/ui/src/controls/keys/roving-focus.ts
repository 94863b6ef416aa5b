import type { KeyboardEvent } from 'react';

/** Moves the focus among the enabled `[data-roving]` elements of a list with the arrow keys, Home and End. */
export function moveRovingFocus(event: KeyboardEvent<HTMLElement>, keys: 'vertical' | 'horizontal'): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-roving]:not(:disabled)')];
  const at = items.indexOf(document.activeElement as HTMLElement);
  if (at < 0) return;
  const [back, on] = keys === 'vertical' ? ['ArrowUp', 'ArrowDown'] : ['ArrowLeft', 'ArrowRight'];
  const to = { [back]: at - 1, [on]: at + 1, Home: 0, End: items.length - 1 }[event.key];
  const target = to === undefined ? undefined : items[to];
  if (!target) return;
  event.preventDefault();
  target.focus();
  target.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}
