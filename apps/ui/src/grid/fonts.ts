import { type CharacterWidth, measuredWidths } from './truncate.ts';

export interface GridFonts {
  ui: CharacterWidth;
  mono: CharacterWidth;
}

let cached: GridFonts | undefined;

/** The widths of the two fonts of the grid, read once from the design tokens. */
export function gridFonts(): GridFonts {
  cached ??= readFonts();
  return cached;
}

function readFonts(): GridFonts {
  const style = getComputedStyle(document.documentElement);
  const size = style.getPropertyValue('--text-sm').trim() || '12px';
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
  return measuredWidths((text) => context.measureText(text).width);
}
