import { useDensity } from '../shared/density.ts';
import { forgetFonts } from './fonts.ts';
import { setRowHeight } from './layout.ts';

let drawnWith: string | undefined;

/** Reads the row height and the font from the tokens of the density, before the grid is laid out. */
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
