import { type PointerEvent, useEffect, useRef, useState } from 'react';
import type { GridActions } from './grid-actions.ts';
import type { GridReference } from './types.ts';

export interface HoveredReference {
  target: NonNullable<GridReference['target']>;
  chip: Element;
}

/** How long the pointer must rest on a reference before its card opens. A pointer that passes over loads nothing. */
const restMs = 350;
/** The time to move the pointer from the reference to the card. */
const leaveMs = 200;

/** The reference under the resting mouse. */
export function useReferenceHover(actions: GridActions) {
  const [hovered, setHovered] = useState<HoveredReference | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const later = (ms: number, next: HoveredReference | null) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setHovered(next), ms);
  };
  return {
    hovered,
    keep: () => clearTimeout(timer.current),
    leave: () => later(leaveMs, null),
    close: () => later(0, null),
    onPointerOver(event: PointerEvent) {
      const chip = (event.target as Element).closest<HTMLElement>('[data-reference]');
      if (!chip || event.pointerType === 'touch') return;
      const row = Number(chip.closest<HTMLElement>('[data-line]')?.dataset.line);
      const column = Number(chip.closest<HTMLElement>('[data-column]')?.dataset.column);
      const target = actions.references({ row, column })[Number(chip.dataset.reference)]?.target;
      if (target) later(restMs, { target, chip });
    },
    onPointerOut(event: PointerEvent) {
      if ((event.target as Element).closest('[data-reference]')) later(leaveMs, null);
    },
  };
}
