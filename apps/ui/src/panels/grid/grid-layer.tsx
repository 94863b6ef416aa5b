// biome-ignore-all lint/a11y/useSemanticElements: a table cannot have a separate layer for pinned columns
import { memo } from 'react';
import styles from './data-grid.module.css';
import { GridRow } from './grid-row.tsx';
import { messageHeight, type PlacedColumn, rowHeight } from './layout.ts';
import type { GridModel } from './model.ts';

/**
 * One of the two layers of rows. For assistive technology, the rows of the pinned layer also own the cells of
 * the other layer.
 */
export const GridLayer = memo(function GridLayer(props: {
  gridId: string;
  model: GridModel;
  lines: number[];
  columns: PlacedColumn[];
  /** In the pinned layer: the columns that the other layer draws. Null in the other layer. */
  owned: PlacedColumn[] | null;
  viewportWidth: number;
}) {
  const { model, owned } = props;
  return (
    <div
      role={owned ? 'rowgroup' : 'presentation'}
      className={owned ? styles.pinnedLayer : styles.centreLayer}
      style={{ height: model.offsets.top(model.lines.length) }}
    >
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
            owned={owned}
            rows={model.rows}
            deferredCell={model.deferredCell}
            gutterWidth={owned ? model.gutterWidth : 0}
            number={model.firstRowNumber + (line.at ?? 0)}
            messageWidth={props.viewportWidth - model.gutterWidth - 24}
          />
        );
      })}
    </div>
  );
});
