import type { Cell } from '@trestle/driver-kit';
import { classNames } from '../../controls/styles/class-names.ts';
import { cellContent } from './cell-content.tsx';
import { type CellDisplay, displayCell } from './cell-display.ts';
import { fontOf } from './cell-width.ts';
import styles from './data-grid.module.css';
import { gridFonts } from './fonts.ts';
import { textWidth } from './truncate.ts';
import type { GridColumn } from './types.ts';

/** A value as the grid draws it, outside the grid: in a list, a card or a panel. */
export function CellValue(props: {
  cell: Cell;
  column: Pick<GridColumn, 'type'>;
  /** The width in pixels. A wider value is cut. The tooltip then usually shows more of the value. */
  room: number;
}) {
  const { cell, column } = props;
  const display = displayCell(cell, column.type);
  const isCut = hasText.includes(display.kind) && widthOf(display) > props.room;
  return (
    <span
      className={classNames(styles.value, styles[display.kind])}
      title={display.exact ?? (isCut ? display.text : undefined)}
    >
      {cellContent(display, props.room)}
    </span>
  );
}

const hasText: CellDisplay['kind'][] = ['text', 'json', 'code', 'number'];

function widthOf({ text, kind }: CellDisplay): number {
  return textWidth(text, fontOf(kind, gridFonts()));
}
