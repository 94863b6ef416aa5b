import { type Colouring, none, steps } from './colouring.ts';

const categories = Array.from({ length: 8 }, (_, index) => `var(--cat-${index + 1})`);
const grey = 'var(--cat-none)';
/** The colours of the smallest and of the largest value. */
const ends = ['var(--cat-6)', 'var(--cat-2)'] as const;

/** CSS colours for a colouring. The last one is for `none`. */
export function paletteOf(colouring: Colouring): string[] {
  if (colouring.kind === 'categories') return [...categories, grey];
  const scale = Array.from(
    { length: steps },
    (_, step) => `color-mix(in srgb, ${ends[1]} ${Math.round((step / (steps - 1)) * 100)}%, ${ends[0]})`,
  );
  return [...scale, grey];
}

/** Returns a function that gives the palette index of a point; -1 if `off` hides the point's category. */
export function colourIndex(colouring: Colouring, palette: string[], off: ReadonlySet<number>) {
  return (point: number): number => {
    const index = colouring.of[point] ?? none;
    if (index === none) return palette.length - 1;
    return colouring.kind === 'categories' && off.has(index) ? -1 : index;
  };
}
