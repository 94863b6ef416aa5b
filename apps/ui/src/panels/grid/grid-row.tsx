// biome-ignore-all lint/a11y/useSemanticElements: a table cannot have a separate layer for pinned columns
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and points at its cells
import { ownValue, type RowSet } from '@trestle/driver-kit';
import { memo, type ReactElement, useRef } from 'react';
import { classNames } from '../../controls/styles/class-names.ts';
import { cellContent } from './cell-content.tsx';
import styles from './data-grid.module.css';
import { type GridFonts, gridFonts } from './fonts.ts';
import { cellPadding, type PlacedColumn, rowHeight } from './layout.ts';
import { displayOf } from './model.ts';
import { isRightToLeft } from './truncate.ts';
import type { DataGridProps, GridLine } from './types.ts';

export interface GridRowProps {
  gridId: string;
  line: GridLine;
  index: number;
  top: number;
  height: number;
  /** The columns to draw. The rows of a layer share one array. A change of these columns replaces the array. */
  columns: PlacedColumn[];
  /**
   * The columns of the other layer; null in the layer without row numbers. For assistive technology, the rows with row
   * numbers contain the cells of both layers.
   */
  owned: PlacedColumn[] | null;
  rows: RowSet;
  deferredCell: DataGridProps['deferredCell'];
  /** 0 in the layer without a gutter. */
  gutterWidth: number;
  number: number;
  messageWidth: number;
}

/** One row of one layer. While the grid scrolls up or down, the row's props usually stay the same, so React keeps it. */
export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { gridId, line, index, columns, owned, gutterWidth } = props;
  const cells = useCells(props);
  return (
    <div
      {...(owned ? rowAttributes(gridId, index, owned) : { role: 'presentation' })}
      className={classNames(
        styles.row,
        line.state && styles[line.state === 'gone' ? 'deleted' : line.state],
        line.message && (line.doubt ? styles.doubtful : styles.failed),
        line.flash && styles.flash,
        line.edited && line.state !== 'inserted' && styles.changed,
      )}
      style={{ top: props.top, height: props.height, paddingLeft: columns[0]?.left }}
      data-line={index}
    >
      {gutterWidth > 0 && <Gutter {...props} />}
      {cells}
    </div>
  );
});

/**
 * The cells of the row. Vectors may arrive after their rows, and columns enter and leave the view while the grid
 * scrolls. In both cases, cells that stay in view are reused, except those of columns that load later.
 */
function useCells(props: GridRowProps): ReactElement[] {
  const { line, rows, index, gridId, columns } = props;
  const fonts = gridFonts();
  const last = useRef<DrawnCells>(undefined);
  const known = last.current;
  const isSame =
    known?.line === line &&
    known.rows === rows &&
    known.index === index &&
    known.gridId === gridId &&
    known.fonts === fonts;
  const cells = new Map<PlacedColumn, ReactElement>();
  for (const column of columns) {
    const isLoaded = column.source >= 0;
    cells.set(column, (isSame && isLoaded && known.cells.get(column)) || drawCell(props, column));
  }
  last.current = { line, rows, index, gridId, fonts, cells };
  return [...cells.values()];
}

interface DrawnCells extends Pick<GridRowProps, 'line' | 'rows' | 'index' | 'gridId'> {
  /** The fonts by which the texts were cut to the width of their cells. */
  fonts: GridFonts;
  cells: Map<PlacedColumn, ReactElement>;
}

function drawCell(props: GridRowProps, column: PlacedColumn): ReactElement {
  const { gridId, line, index } = props;
  const display = displayOf(props, line, index, column);
  const problem = ownValue(line.invalid, column.name);
  return (
    <div
      key={column.index}
      id={cellId(gridId, index, column)}
      role="gridcell"
      aria-colindex={column.index + 2}
      aria-readonly={column.readOnly ? true : undefined}
      aria-invalid={problem !== undefined || undefined}
      className={classNames(
        styles.cell,
        styles[display.kind],
        column.numeric && styles.alignRight,
        line.edited && line.state !== 'inserted' && Object.hasOwn(line.edited, column.name) && styles.edited,
      )}
      style={{ width: column.width }}
      data-column={column.index}
      title={problem ?? display.exact}
      dir={display.kind === 'text' && isRightToLeft(display.text) ? 'rtl' : undefined}
    >
      {cellContent(display, column.width - 2 * cellPadding)}
    </div>
  );
}

function rowAttributes(gridId: string, line: number, owned: PlacedColumn[]) {
  const owns = owned.map((column) => cellId(gridId, line, column)).join(' ');
  return { role: 'row', 'aria-rowindex': line + 2, ...(owns && { 'aria-owns': owns }) };
}

function cellId(gridId: string, line: number, { index }: PlacedColumn): string {
  return `${gridId}-${line}-${index}`;
}

function Gutter(props: GridRowProps) {
  const { line, number } = props;
  const edited = line.state !== 'inserted' && line.edited !== undefined;
  const mark = markOf(line);
  return (
    <div
      role="rowheader"
      aria-colindex={1}
      aria-label={gutterLabel(line, number, edited)}
      className={styles.gutter}
      style={{ width: props.gutterWidth, height: props.height }}
      data-gutter
    >
      {mark ? <span className={styles.mark}>{mark}</span> : number}
      {line.message && (
        <span
          className={styles.message}
          style={{ top: rowHeight, left: props.gutterWidth, maxWidth: props.messageWidth }}
          title={line.message}
        >
          {line.message}
        </span>
      )}
    </div>
  );
}

function markOf(line: GridLine): string | null {
  if (line.doubt) return '?';
  if (line.message) return '!';
  if (line.state === 'inserted') return '+';
  if (line.state === 'deleted' || line.state === 'gone') return '−';
  // The row was saved after the page was read, so it has no number yet.
  return line.at === undefined ? '✓' : null;
}

function gutterLabel(line: GridLine, number: number, edited: boolean): string {
  const saved = line.at === undefined ? 'Saved row' : `Row ${number}`;
  const row = line.state === 'inserted' ? 'New row' : saved;
  const message = line.doubt ? `, ${line.message}` : line.message ? `, not saved: ${line.message}` : '';
  return `${row}${stateText(line, edited)}${message}`;
}

function stateText({ state }: GridLine, edited: boolean): string {
  if (state === 'gone') return ', deleted';
  if (state === 'deleted') return ', marked for deletion';
  return edited ? ', edited' : '';
}
