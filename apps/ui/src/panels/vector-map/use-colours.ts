import type { ColumnDescription } from '@trestle/driver-kit';
import { useMemo, useState } from 'react';
import {
  type Colouring,
  colouringOf,
  hiddenEntries,
  hiddenValue,
  none,
  plainColouring,
  steps,
} from './colouring.ts';
import type { MapRows } from './map-rows.ts';

/** The last chosen column of each map. Kept here, because a switch to another view of the table removes the component. */
const lastChoices = new Map<string, string>();

/** The colour of each point by the chosen column, and the hidden categories. `map` identifies the map. */
export function useColours(
  map: string,
  columns: ColumnDescription[],
  rows: MapRows | undefined,
  points: number,
  selected: number[],
) {
  const [chosen, setChosen] = useState(() => lastChoices.get(map) ?? '');
  const by = columns.some(({ name }) => name === chosen) ? chosen : '';
  const [hidden, setHidden] = useState<ReadonlySet<string | null>>(new Set());
  const values = rows?.values.get(by);
  const colouring = useMemo(() => {
    const column = columns.find(({ name }) => name === by);
    return column && values ? colouringOf(values.slice(0, points), column.type) : plainColouring(points);
  }, [columns, by, values, points]);
  const off = useMemo(() => hiddenEntries(colouring, hidden), [colouring, hidden]);
  const named = useMemo(() => paletteOf(colouring), [colouring]);
  const palette = useMemo(() => [...named, 'var(--line-strong)'], [named]);
  const colourOf = useMemo(() => {
    const own = colourIndex(colouring, named, off);
    if (selected.length === 0) return own;
    // Points that are not selected are dimmed.
    const inside = new Set(selected);
    return (point: number) => (own(point) < 0 || inside.has(point) ? own(point) : named.length);
  }, [colouring, named, off, selected]);
  return {
    by,
    colouring,
    palette,
    off,
    /** The palette index of a point; -1 hides it. */
    colourOf,
    chooseColumn(name: string) {
      setChosen(name);
      lastChoices.set(map, name);
      setHidden(new Set());
    },
    toggle(index: number) {
      const entry = colouring.kind === 'categories' ? colouring.entries[index] : undefined;
      if (!entry) return;
      const value = hiddenValue(entry);
      setHidden((before) => {
        const next = new Set(before);
        if (!next.delete(value)) next.add(value);
        return next;
      });
    },
  };
}

const categories = Array.from({ length: 8 }, (_, index) => `var(--cat-${index + 1})`);
const grey = 'var(--cat-none)';
/** The colours of the smallest and of the largest value. */
const ends = ['var(--cat-6)', 'var(--cat-2)'] as const;

/** CSS colours for a colouring. The last one is for `none`. */
function paletteOf(colouring: Colouring): string[] {
  if (colouring.kind === 'categories') return [...categories, grey];
  const scale = Array.from(
    { length: steps },
    (_, step) => `color-mix(in srgb, ${ends[1]} ${Math.round((step / (steps - 1)) * 100)}%, ${ends[0]})`,
  );
  return [...scale, grey];
}

/** Returns a function that gives the palette index of a point; -1 if `off` hides the point's category. */
function colourIndex(colouring: Colouring, palette: string[], off: ReadonlySet<number>) {
  return (point: number): number => {
    const index = colouring.of[point] ?? none;
    if (index === none) return palette.length - 1;
    return colouring.kind === 'categories' && off.has(index) ? -1 : index;
  };
}
