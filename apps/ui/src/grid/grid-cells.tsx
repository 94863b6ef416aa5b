import { memo, type RefObject } from 'react';
import styles from './data-grid.module.css';
import type { GridActions } from './grid-actions.ts';
import { GridHeader } from './grid-header.tsx';
import { GridLayer } from './grid-layer.tsx';
import type { GridStore } from './grid-store.ts';
import type { PlacedColumn } from './layout.ts';
import type { GridModel } from './model.ts';
import { useWindowedCells } from './use-windowed-cells.ts';

/** Header and rows in view: the only part of the grid that is drawn again while it scrolls. */
export const GridCells = memo(function GridCells(props: {
  gridId: string;
  store: GridStore;
  actions: GridActions;
  model: GridModel;
  viewport: HTMLElement | null;
  sortable: boolean;
  pinnedAnchor: RefObject<HTMLDivElement | null>;
  centreAnchor: RefObject<HTMLDivElement | null>;
  onResize(column: PlacedColumn, width: number | null, done: boolean): void;
  onVisibleLines?(first: number, last: number): void;
}) {
  const { gridId, store, actions, model, viewport, onVisibleLines } = props;
  const cells = useWindowedCells({ model, viewport, store, onVisibleLines });
  const shared = { gridId, store, actions, model, lines: cells.lines, viewportWidth: cells.width };
  return (
    <>
      <GridHeader
        gridId={gridId}
        store={store}
        model={model}
        pinned={cells.pinned}
        centre={cells.centre}
        sortable={props.sortable}
        onResize={props.onResize}
      />
      <div className={styles.body} role="presentation">
        <GridLayer {...shared} pinned columns={cells.pinned} anchor={props.pinnedAnchor} />
        <GridLayer {...shared} pinned={false} columns={cells.centre} anchor={props.centreAnchor} />
      </div>
    </>
  );
});
