import type { ColumnDescription } from '@trestle/driver-kit';
import { useMemo, useState } from 'react';
import { colouringOf, hiddenEntries, hiddenValue, plainColouring } from './colouring.ts';
import type { MapRows } from './map-rows.ts';
import { colourIndex, paletteOf } from './palette.ts';

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
