import type { RowKey } from '@trestle/driver-kit';
import { useEffect, useRef, useState } from 'react';
import { MapRows } from './map-rows.ts';

/** The row of the chosen point, for the inspector. */
export interface MapRow {
  key: RowKey;
  /** The vector that the map is drawn by. */
  vector: string;
  /** Undefined for the first point. */
  onPrevious: (() => void) | undefined;
  /** Undefined for the last point. */
  onNext: (() => void) | undefined;
  /** Chooses another row if it is on the map; returns false if it is not. */
  onFind(key: RowKey): boolean;
  onClose(): void;
}

/**
 * The chosen point, -1 for none, and its setter. `tell` receives the row of the chosen point, or null. When the map
 * gets other rows, the choice is cleared: the same point is then another row.
 */
export function useChosenRow(rows: MapRows | undefined, vector: string, tell: (row: MapRow | null) => void) {
  const [chosen, setChosen] = useState(-1);
  const inspect = useRef(tell);
  inspect.current = tell;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect runs when the rows change
  useEffect(() => setChosen(-1), [rows]);
  useEffect(() => {
    const key = rows?.keys[chosen];
    const step = (to: number) => (rows?.keys[to] ? () => setChosen(to) : undefined);
    if (!key) return inspect.current(null);
    inspect.current({
      key,
      vector,
      onPrevious: step(chosen - 1),
      onNext: step(chosen + 1),
      onFind(wanted) {
        const point = rows?.pointsById().get(MapRows.idOf(wanted));
        if (point !== undefined) setChosen(point);
        return point !== undefined;
      },
      onClose: () => setChosen(-1),
    });
  }, [chosen, rows, vector]);
  return [chosen, setChosen] as const;
}
