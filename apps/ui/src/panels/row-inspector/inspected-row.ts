import { type Cell, cellToJson, type Json, type RowKey } from '@trestle/driver-kit';
import type { GridColumn, GridReference } from '../grid/index.ts';

/** One row, as the inspector shows it. */
export interface InspectedRow {
  connectionId: string;
  table: string;
  partition: string | undefined;
  /** Identifies the row. The inspector stores drafts of its values under this id. */
  id: string;
  /** Null for a new row, and for a row without a key. */
  key: RowKey | null;
  title: string;
  state: 'inserted' | 'deleted' | 'gone' | undefined;
  /** A message about the row, such as the reason why a save failed. */
  message: string | undefined;
  properties: InspectedProperty[];
  /**
   * The vector column that the map shows, if the row is selected in a map. Until the user chooses another column, the
   * inspector finds similar rows by this one. That search needs no click on “Compare with every row”.
   */
  mapVector?: string;
}

export interface InspectedProperty
  extends Pick<
    GridColumn,
    'name' | 'type' | 'nativeType' | 'isMeasure' | 'inKey' | 'comment' | 'references' | 'picker'
  > {
  nullable: boolean;
  /** Undefined while the value loads, if a new row has no value here yet, and if the row no longer exists. */
  cell: Cell | undefined;
  isPending: boolean;
  /** The text for a value that is not set. */
  unset: string;
  isEdited: boolean;
  /** Why the staged value does not fit its column. */
  problem: string | undefined;
  /** Why the value cannot be changed; undefined if it can. */
  refusal: string | undefined;
}

/** The props of every part of the inspector. */
export interface InspectorPart {
  row: InspectedRow;
  /** The column of the grid's active cell. */
  activeColumn: string | undefined;
  onStage(column: string, cell: Cell): void;
  onOpenReference(target: NonNullable<GridReference['target']>): void;
}

/** The row as one JSON document. A property whose `cell` is undefined is left out. */
export function rowJson({ properties }: InspectedRow): Record<string, Json> {
  const written = properties.filter(({ cell }) => cell !== undefined);
  return Object.fromEntries(written.map(({ name, cell }) => [name, cellToJson(cell ?? null)]));
}

/** A text that is being typed, and its initial value. */
export interface Draft {
  text: string;
  began: string;
}
