import { type Cell, cellToJson, type Json, type RowKey } from '@trestle/driver-kit';
import type { GridColumn, GridReference } from '../grid/index.ts';

/** One row with everything that is known of it. */
export interface InspectedRow {
  connectionId: string;
  table: string;
  partition: string | undefined;
  /** Names the row: drafts of its values go by it. */
  id: string;
  /** Null before the database gave it one. */
  key: RowKey | null;
  title: string;
  state: 'inserted' | 'deleted' | undefined;
  /** The reason that the server refused the row for. */
  message: string | undefined;
  properties: InspectedProperty[];
}

export interface InspectedProperty
  extends Pick<
    GridColumn,
    'name' | 'type' | 'nativeType' | 'isMeasure' | 'inKey' | 'comment' | 'references' | 'picker'
  > {
  nullable: boolean;
  /** Undefined while it is being fetched, and where the database fills it in. */
  cell: Cell | undefined;
  isPending: boolean;
  /** The word that stands for a value that is not written. */
  unset: string;
  isEdited: boolean;
  /** Why a staged value does not fit. */
  problem: string | undefined;
  /** Why it cannot be changed; undefined where it can. */
  refusal: string | undefined;
}

/** All that a part of the inspector may need. */
export interface InspectorPart {
  row: InspectedRow;
  /** The column of the grid's active cell. */
  activeColumn: string | undefined;
  onStage(column: string, cell: Cell): void;
  onOpenReference(target: NonNullable<GridReference['target']>): void;
}

/** The row as one JSON document, with every value in full. */
export function rowJson({ properties }: InspectedRow): Record<string, Json> {
  const written = properties.filter(({ cell }) => cell !== undefined);
  return Object.fromEntries(written.map(({ name, cell }) => [name, cellToJson(cell ?? null)]));
}
