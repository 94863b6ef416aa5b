import { useDensity } from '../../data/settings/density.ts';
import { forgetFonts } from './fonts.ts';
import { setRowHeight } from './layout.ts';

let drawnWith: string | undefined;

/**
 * Returns the density. If the density changed, the hook reads the row height from CSS and forgets the measured fonts,
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
