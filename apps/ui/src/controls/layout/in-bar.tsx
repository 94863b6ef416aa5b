import type { ReactNode } from 'react';
import { createPortal } from 'react-dom';

/** The two places for a view's own controls in the toolbar of a table tab: before and after the filters. */
export interface BarPlaces {
  lead: HTMLElement | null;
  tail: HTMLElement | null;
}

export function InBar({ place, children }: { place: HTMLElement | null; children: ReactNode }) {
  return place ? createPortal(children, place) : null;
}
