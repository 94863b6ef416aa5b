import { type Cell, isCutCell, ownValue, type TableDescription } from '@trestle/driver-kit';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { titleColumn, titleText } from '../data/rows/row-title.ts';
import {
  cutCellRefusal,
  type GridCell,
  type GridColumn,
  type GridReference,
  placeOf,
  unsetText,
} from '../panels/grid/index.ts';
import { type InspectedProperty, type InspectedRow, RowInspector } from '../panels/row-inspector/index.ts';
import type { TableLine } from './table-lines.ts';

/** The position of the grid's cursor. It is not React state of the parent, so that a move does not redraw the parent. */
export type GridCursor = StoreApi<{ active: GridCell | null; id: string | null }>;

export function createCursor(): GridCursor {
  return createStore(() => ({ active: null, id: null }));
}

interface GridInspectorProps {
  connectionId: string;
  description: TableDescription;
  partition: string | undefined;
  cursor: GridCursor;
  columns: GridColumn[];
  lines: TableLine[];
  stored(line: TableLine, column: string): Cell | undefined;
  /** Cells that load after their row. */
  late: {
    columns: string[];
    cell(line: number, column: string): Cell | undefined;
    readLine(line: number): void;
  };
  refusal: string | undefined;
  onStage(line: number, column: string, cell: Cell): void;
  onGoTo(line: number, column: string): void;
  onOpenReference(target: NonNullable<GridReference['target']>): void;
  onClose(): void;
}

/** The row inspector of a grid. It follows the cursor, and stages a value like an edit in the grid. */
export function GridInspector(props: GridInspectorProps) {
  const { lines, late } = props;
  const { active, id } = useStore(props.cursor);
  const first = { line: 0, column: props.columns[0]?.name ?? '' };
  // The line is found by its id: if lines are added above it, the typed text must not end up in another row.
  const at = active ? { ...active, line: placeOf({ id }, active.line, lines) ?? active.line } : first;
  const line = lines[at.line];
  const isLate =
    line?.at !== undefined && late.columns.some((name) => late.cell(at.line, name) === undefined);
  const { readLine } = late;
  useEffect(() => {
    if (isLate) readLine(at.line);
  }, [isLate, at.line, readLine]);
  const go = (to: number) => (lines[to] ? () => props.onGoTo(to, at.column) : undefined);
  return (
    <RowInspector
      row={line ? inspectedRow(props, at.line, line) : null}
      activeColumn={active?.column}
      onStage={(column, cell) => props.onStage(at.line, column, cell)}
      onOpenReference={props.onOpenReference}
      onPrevious={go(at.line - 1)}
      onNext={go(at.line + 1)}
      onClose={props.onClose}
    />
  );
}

function inspectedRow(props: GridInspectorProps, index: number, line: TableLine): InspectedRow {
  const { connectionId, description, partition, columns } = props;
  const properties = columns.map((column) => inspectedProperty(props, index, line, column));
  const named = titleColumn(description.columns, description.key);
  const title = properties.find(({ name }) => name === named?.name)?.cell;
  return {
    connectionId,
    table: description.name,
    partition,
    id: line.formerId ?? line.id ?? String(index),
    key: line.key,
    title: titleText(title) ?? `Row of ${description.name}`,
    state: line.state,
    message: line.message,
    properties,
  };
}

function inspectedProperty(
  props: GridInspectorProps,
  index: number,
  line: TableLine,
  column: GridColumn,
): InspectedProperty {
  const { name, type, nativeType, isMeasure, inKey, comment, references, picker } = column;
  const isEdited = line.edited !== undefined && Object.hasOwn(line.edited, name);
  const stored = props.stored(line, name);
  const read = stored === undefined ? props.late.cell(index, name) : stored;
  const cell = isEdited ? line.edited?.[name] : read;
  const isNewKey = line.state === 'inserted' && column.insertable;
  const deleted = line.state === 'deleted' ? 'This row is marked for deletion' : undefined;
  return {
    ...{ name, type, nativeType, isMeasure, inKey, comment, references, picker },
    nullable: column.nullable !== false,
    cell,
    isPending: cell === undefined && line.at !== undefined && props.late.columns.includes(name),
    unset: unsetText(column),
    isEdited: isEdited && line.state !== 'inserted',
    problem: ownValue(line.invalid, name),
    refusal:
      props.refusal ??
      line.readOnly ??
      deleted ??
      (isNewKey ? undefined : column.readOnly) ??
      (isCutCell(stored) ? cutCellRefusal : undefined),
  };
}
