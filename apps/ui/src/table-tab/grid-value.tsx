import { type Cell, isCutCell } from '@trestle/driver-kit';
import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { cutCellRefusal, type GridCell, type GridColumn, placeOf, unsetText } from '../grid/index.ts';
import { type PanelValue, ValuePanel } from '../value-panel/index.ts';
import type { TableLine } from './table-lines.ts';

/** Where the grid's cursor is. Apart from React's state above, so that a move draws no row anew. */
export type GridCursor = StoreApi<{ active: GridCell | null; id: string | null }>;

export function createCursor(): GridCursor {
  return createStore(() => ({ active: null, id: null }));
}

/** The value panel beside a grid: it follows the cursor, and what is set there is staged like any edit. */
export function GridValue(props: {
  cursor: GridCursor;
  columns: GridColumn[];
  lines: TableLine[];
  stored(line: TableLine, column: string): Cell | undefined;
  /** Cells that come after their row. */
  late(line: number, column: string): Cell | undefined;
  refusal: string | undefined;
  onStage(line: number, column: string, cell: Cell): void;
  onClose(): void;
}) {
  const { active, id } = useStore(props.cursor);
  const first = { line: 0, column: props.columns[0]?.name ?? '' };
  // By its name: lines that come above it must not put another row under the text being typed.
  const at = active ? { ...active, line: placeOf({ id }, active.line, props.lines) ?? active.line } : first;
  const line = props.lines[at.line];
  const column = props.columns.find(({ name }) => name === at.column);
  return (
    <ValuePanel
      value={line && column ? panelValue(props, at.line, line, column) : null}
      onStage={(cell) => props.onStage(at.line, at.column, cell)}
      onClose={props.onClose}
    />
  );
}

function panelValue(
  props: Pick<Parameters<typeof GridValue>[0], 'stored' | 'late' | 'refusal'>,
  index: number,
  line: TableLine,
  column: GridColumn,
): PanelValue {
  const { name, type, nativeType } = column;
  const isEdited = line.edited && Object.hasOwn(line.edited, name);
  const cell = isEdited ? line.edited?.[name] : (props.stored(line, name) ?? props.late(index, name));
  const isNewKey = line.state === 'inserted' && column.insertable;
  const deleted = line.state === 'deleted' ? 'This row is marked for deletion' : undefined;
  return {
    id: `${line.formerId ?? line.id ?? index}:${name}`,
    column: name,
    type,
    nativeType,
    nullable: column.nullable !== false,
    cell,
    unset: unsetText(column),
    refusal:
      props.refusal ??
      line.readOnly ??
      deleted ??
      (isNewKey ? undefined : column.readOnly) ??
      (isCutCell(props.stored(line, name)) ? cutCellRefusal : undefined),
  };
}
