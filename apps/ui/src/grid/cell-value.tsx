import type { Cell } from '@trestle/driver-kit';
import { classNames } from '../shared/class-names.ts';
import { cellContent } from './cell-content.tsx';
import { displayCell, displayMeasure, displayReferences } from './cell-display.ts';
import styles from './data-grid.module.css';
import type { GridColumn } from './types.ts';

/** A value as the grid draws it, outside the grid: in a list, a card or a panel. */
export function CellValue(props: {
  cell: Cell;
  column: Pick<GridColumn, 'type' | 'isMeasure' | 'references'>;
  /** The width in pixels. A longer value is cut. */
  room: number;
}) {
  const { cell, column } = props;
  const links = column.references?.(cell);
  const display = column.isMeasure
    ? displayMeasure(cell, 1)
    : links
      ? displayReferences(links)
      : displayCell(cell, column.type);
  return (
    <span className={classNames(styles.value, styles[display.kind])} title={display.exact}>
      {cellContent(display, props.room)}
    </span>
  );
}
