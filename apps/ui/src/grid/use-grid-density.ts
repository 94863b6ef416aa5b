import { useDensity } from '../shared/density.ts';
import { forgetFonts } from './fonts.ts';
import { setRowHeight } from './layout.ts';

let drawnWith: string | undefined;

/**
 * Returns the density. If it changed, reads the row height from its CSS variable and lets the fonts be measured again,
 * before the grid is laid out.
 */
export function useGridDensity(): string {
  const { density } = useDensity();
  if (density !== drawnWith) {
    drawnWith = density;
    const height = getComputedStyle(document.documentElement).getPropertyValue('--row-height');
    setRowHeight(Number.parseFloat(height) || 26);
    forgetFonts();
  }
  return density;
}
