import { type CharacterWidth, measuredWidths } from './truncate.ts';

export interface GridFonts {
  ui: CharacterWidth;
  mono: CharacterWidth;
}

let cached: GridFonts | undefined;

/** The next use measures the fonts again, because another density may change the text size. */
export function forgetFonts(): void {
  cached = undefined;
}

/** The character widths of the grid's two fonts, which the design tokens name. */
export function gridFonts(): GridFonts {
  if (!cached) {
    // The first text in another alphabet loads the part of the font for that alphabet, and the widths change.
    document.fonts.addEventListener('loadingdone', () => (cached = undefined), { once: true });
    cached = readFonts();
  }
  return cached;
}

function readFonts(): GridFonts {
  const style = getComputedStyle(document.documentElement);
  const size = style.getPropertyValue('--grid-text').trim() || '12px';
  const family = (name: string) => style.getPropertyValue(name).trim() || 'sans-serif';
  return {
    ui: widthsOf(`${size} ${family('--font-ui')}`),
    mono: widthsOf(`${size} ${family('--font-mono')}`),
  };
}

function widthsOf(font: string): CharacterWidth {
  const context = document.createElement('canvas').getContext('2d');
  if (!context) return () => 8;
  context.font = font;
  // Cells show tabular figures, which a canvas cannot measure: every digit counts as the widest one.
  const digit = Math.max(...[...'0123456789'].map((text) => context.measureText(text).width));
  return measuredWidths((text) => (/^\d$/.test(text) ? digit : context.measureText(text).width));
}
