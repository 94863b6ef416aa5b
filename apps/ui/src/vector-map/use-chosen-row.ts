import type { RowKey } from '@trestle/driver-kit';
import { useEffect, useRef, useState } from 'react';
import type { MapRows } from './map-rows.ts';

/** A chosen point, for the inspector. */
export interface MapRow {
  key: RowKey;
  /** Undefined at either end. */
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
  onClose(): void;
}

/** The chosen point, -1 for none. Another map has other points, so it is forgotten with its rows. */
export function useChosenRow(rows: MapRows | undefined, tell: (row: MapRow | null) => void) {
  const [chosen, setChosen] = useState(-1);
  const inspect = useRef(tell);
  inspect.current = tell;
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows are what it is for
  useEffect(() => setChosen(-1), [rows]);
  useEffect(() => {
    const key = rows?.keys[chosen];
    const step = (to: number) => (rows?.keys[to] ? () => setChosen(to) : undefined);
    inspect.current(
      key
        ? { key, onPrevious: step(chosen - 1), onNext: step(chosen + 1), onClose: () => setChosen(-1) }
        : null,
    );
  }, [chosen, rows]);
  return [chosen, setChosen] as const;
}
