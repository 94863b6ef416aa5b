import { type ComponentProps, memo, type RefObject } from 'react';
import { ActiveCell } from './active-cell.tsx';
import styles from './data-grid.module.css';
import type { GridActions } from './grid-actions.ts';
import { CentreHeader, PinnedHeader } from './grid-header.tsx';
import { GridLayer } from './grid-layer.tsx';
import { GridOverlay } from './grid-overlay.tsx';
import type { GridStore } from './grid-store.ts';
import type { PlacedColumn } from './layout.ts';
import type { GridModel } from './model.ts';
import type { ResizeWidth } from './use-grid-model.ts';
import { useWindowedCells } from './use-windowed-cells.ts';

/**
 * Header and visible rows. Scrolling redraws this part, not the whole grid. For assistive technology, the pinned side
 * is the grid. Its rows own the cells of the other side with `aria-owns`. Otherwise those cells would belong to no row.
 */
export const GridCells = memo(function GridCells(props: {
  gridId: string;
  grid: GridElementProps;
  store: GridStore;
  actions: GridActions;
  model: GridModel;
  viewport: HTMLElement | null;
  sortable: boolean;
  pinnedAnchor: RefObject<HTMLDivElement | null>;
  centreAnchor: RefObject<HTMLDivElement | null>;
  onResize(column: PlacedColumn, width: ResizeWidth, done: boolean): void;
  onVisibleLines?(first: number, last: number): void;
}) {
  const { gridId, store, actions, model, viewport, onVisibleLines } = props;
  const cells = useWindowedCells({ model, viewport, store, onVisibleLines });
  const shared = { gridId, store, actions, model, lines: cells.lines, viewportWidth: cells.width };
  const header = { gridId, store, actions, model, sortable: props.sortable, onResize: props.onResize };
  return (
    <>
      <ActiveCell {...{ store, model, gridId }} grid={props.grid.ref} centre={cells.centre} />
      <div className={styles.pinnedSide} style={{ width: model.gutterWidth + model.pinnedWidth }}>
        <div {...props.grid} className={styles.rows}>
          <PinnedHeader {...header} columns={cells.pinned} owned={cells.centre} />
          <GridLayer {...shared} columns={cells.pinned} owned={cells.centre} />
        </div>
        <GridOverlay {...shared} columns={cells.pinned} pinned anchor={props.pinnedAnchor} />
      </div>
      <div role="presentation" className={styles.centreSide} style={{ width: model.centreWidth }}>
        <CentreHeader {...header} columns={cells.centre} />
        <GridLayer {...shared} columns={cells.centre} owned={null} />
        <GridOverlay {...shared} columns={cells.centre} pinned={false} anchor={props.centreAnchor} />
      </div>
    </>
  );
});

/** Props of the element that is the grid for assistive technology. */
export type GridElementProps = Omit<ComponentProps<'div'>, 'ref'> & { ref: RefObject<HTMLDivElement | null> };
