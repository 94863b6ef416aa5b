import { useLayoutEffect } from 'react';
import { create } from 'zustand';
import type { Settings } from '../api/api-types.ts';
import { useSettings } from '../queries/queries.ts';

/** The current density. Grids read their row height and font from CSS variables that depend on it. */
export const useDensity = create<{ density: Settings['density'] }>(() => ({ density: 'normal' }));

/** Keeps `<html data-density>` equal to the setting. */
export function useDensitySetting(): void {
  const density = useSettings().data?.density ?? 'normal';
  useLayoutEffect(() => {
    document.documentElement.dataset.density = density;
    // Set after the CSS variables have changed: a grid reads them when this state changes.
    useDensity.setState({ density });
  }, [density]);
}
