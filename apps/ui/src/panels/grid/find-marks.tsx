import { useMemo } from 'react';
import { useStore } from 'zustand';
import styles from './data-grid.module.css';
import type { GridStore } from './grid-store.ts';
import { type PlacedColumn, rowHeight } from './layout.ts';
import type { GridModel } from './model.ts';

/** Highlights each visible cell that contains the searched text. */
export function FindMarks(props: {
  store: GridStore;
  model: GridModel;
  lines: number[];
  columns: PlacedColumn[];
  /** Where the layer's columns start. */
  offset: number;
}) {
  const { model, columns, offset } = props;
  const matches = useStore(props.store, ({ find }) => find?.matches);
  const byRow = useMemo(() => Map.groupBy(matches ?? [], ({ row }) => row), [matches]);
  if (byRow.size === 0) return null;
  return props.lines.flatMap((row) => {
    const here = new Set(byRow.get(row)?.map(({ column }) => column));
    return columns.flatMap((column) =>
      here.has(column.index)
        ? [
            <div
              key={`${row} ${column.index}`}
              aria-hidden
              className={styles.found}
              style={{
                top: model.offsets.top(row),
                left: offset + column.left,
                width: column.width,
                height: rowHeight,
              }}
            />,
          ]
        : [],
    );
  });
}
