// biome-ignore-all lint/a11y/useSemanticElements: a table cannot hold two layers of rows
import { memo } from 'react';
import styles from './data-grid.module.css';
import type { GridActions } from './grid-actions.ts';
import { GridOverlay } from './grid-overlay.tsx';
import { GridRow } from './grid-row.tsx';
import type { GridStore } from './grid-store.ts';
import { messageHeight, type PlacedColumn, rowHeight } from './layout.ts';
import type { GridModel } from './model.ts';

/** One of the two layers of rows: each is its own row group, with the same row indices. */
export const GridLayer = memo(function GridLayer(props: {
  gridId: string;
  store: GridStore;
  actions: GridActions;
  model: GridModel;
  lines: number[];
  columns: PlacedColumn[];
  pinned: boolean;
  anchor: React.RefObject<HTMLDivElement | null>;
  viewportWidth: number;
}) {
  const { model, pinned } = props;
  const width = pinned ? model.gutterWidth + model.pinnedWidth : model.centreWidth;
  return (
    <div
      role="presentation"
      className={pinned ? styles.pinnedLayer : styles.centreLayer}
      style={{ width, height: model.offsets.top(model.lines.length) }}
    >
      <div role="rowgroup">
        {props.lines.map((index) => {
          const line = model.lines[index];
          if (!line) return null;
          return (
            <GridRow
              key={index}
              gridId={props.gridId}
              line={line}
              index={index}
              top={model.offsets.top(index)}
              height={line.message ? rowHeight + messageHeight : rowHeight}
              columns={props.columns}
              rows={model.rows}
              deferredCell={model.deferredCell}
              gutterWidth={pinned ? model.gutterWidth : 0}
              number={model.firstRowNumber + (line.at ?? 0)}
              messageWidth={props.viewportWidth - model.gutterWidth - 24}
            />
          );
        })}
      </div>
      <GridOverlay
        store={props.store}
        model={model}
        actions={props.actions}
        pinned={pinned}
        anchor={props.anchor}
      />
    </div>
  );
});
