import { useLayoutEffect } from 'react';
import { create } from 'zustand';
import type { Settings } from './api-types.ts';
import { useSettings } from './queries.ts';

/** The density that the page is drawn with. Grids take their row height and font from its tokens. */
export const useDensity = create<{ density: Settings['density'] }>(() => ({ density: 'normal' }));

/** Keeps `<html data-density>` at what the settings say. */
export function useDensitySetting(): void {
  const density = useSettings().data?.density ?? 'normal';
  useLayoutEffect(() => {
    document.documentElement.dataset.density = density;
    // After the tokens: a grid reads them when it hears of it.
    useDensity.setState({ density });
  }, [density]);
}
