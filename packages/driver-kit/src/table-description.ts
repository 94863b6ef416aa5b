import type { FilterOperator } from './filter.ts';
import type { Outbound } from './outbound.ts';
import type { SearchSupport } from './search.ts';
import type { ColumnHead } from './values.ts';

export interface TableSummary {
  name: string;
  kind: 'table' | 'view' | 'collection';
  /** The table is read one partition (tenant) at a time. */
  partitioned?: boolean;
  comment?: string;
  /** In `listTables`: the statement that deletes the table. Undefined if it cannot be deleted. */
  dropText?: string;
}

export interface TableDescription extends TableSummary {
  columns: ColumnDescription[];
  /** The columns that identify a row. Empty if rows cannot be identified. */
  key: string[];
  /** Why rows cannot be inserted, updated or deleted. Undefined if they can. */
  readOnly?: { insert?: string; update?: string; delete?: string };
  /**
   * A column may hold values of another type than its own, and a column of type `any` or `bytes` keeps 5 and 5.0 apart
   * (SQLite).
   */
  mixed?: boolean;
  indexes: IndexDescription[];
  foreignKeys: ForeignKeyDescription[];
  /** The searches that `search` supports on this table. */
  searches?: SearchSupport;
  /** The definition as text: SQLite's CREATE statement, Weaviate's JSON. The input of `createTable`. */
  definition?: string;
  /**
   * A query in the editor's language. It runs unchanged unless the table is `partitioned`. Empty if the driver has no
   * query language.
   */
  exampleQuery: string;
  /** A query that counts rows by the values of a column. */
  countQuery?: string;
  /** Facts that the reader must know. */
  notes: string[];
  /** How to write queries on this table. A client gets these lines only if it asks for details. */
  help?: string[];
}

export interface DescribedTables {
  tables: TableDescription[];
  /** The number of tables in the database. */
  total: number;
}

export interface ColumnDescription extends ColumnHead {
  nullable: boolean;
  inKey: boolean;
  /** Why the value cannot be written. Undefined if it can. */
  readOnly?: string;
  /** Read-only, but a new row may get a value (Weaviate's uuid). */
  insertable?: boolean;
  /** The value that the database uses if an insert leaves the column out. */
  defaultText?: string;
  /** Not part of a page unless requested by name. `readCells` reads it. */
  deferred?: boolean;
  /** Part of the page only as a key. The window does not show it (SQLite's rowid). */
  hidden?: boolean;
  /** Why rows cannot be sorted by this column. Undefined if they can. */
  unsortable?: string;
  /** All operators of the driver. Those that this column does not support have a `refusal`. */
  operators: OperatorSupport[];
  /** How text is matched, if not by plain comparison. One line for all operators. */
  matching?: string;
  /**
   * The tables that a cell may refer to. The cell is a JSON list. Each element is the `ReferenceTarget.value` of one row
   * that the cell refers to.
   */
  references?: string[];
  /**
   * Set if the values are vectors, in any form of storage (SQLite: JSON text or a BLOB). `distance`: how the window
   * compares them.
   */
  vector?: { distance: 'cosine' | 'euclidean' };
  /** The form of a filter value or a cell, in words. */
  valueForm?: string;
  comment?: string;
}

export interface OperatorSupport {
  operator: FilterOperator;
  /** Why the operator does not run on this column. */
  refusal?: string;
  /** How this operator matches, if not by plain comparison. */
  matching?: string;
}

export interface TableStructure {
  sections: StructureSection[];
}

/** A section with `aside` is shown next to the others if there is room. */
export type StructureSection = { title: string; aside?: boolean } & (
  | { kind: 'facts'; facts: { name: string; value: string }[] }
  /** A boolean cell is shown as a mark. A cell without content is the empty text. */
  | { kind: 'table'; columns: string[]; rows: (string | boolean)[][] }
  /** A complete definition or statement. */
  | { kind: 'code'; text: string }
);

export interface IndexDescription {
  name: string;
  /** Columns of the table. Null for an expression. */
  columns: (string | null)[];
  unique: boolean;
  /** The index covers only some rows, so `unique` holds only for those. */
  partial?: boolean;
  detail?: string;
}

export interface ForeignKeyDescription {
  columns: string[];
  table: string;
  references: string[];
}

export interface CreateTableRequest {
  name: string;
  /** The `definition` that `describeTable` returned for the table that is copied. */
  definition: string;
  /** Partitions to create with the table, if it is `partitioned`. */
  partitions?: string[];
  outbound?: Outbound;
}

export interface Partition {
  name: string;
  /** Why the partition cannot be read now, for example `The tenant is cold`. Undefined if it can be read. */
  unavailable?: string;
  /** `activatePartition` can activate the partition. */
  activates?: boolean;
}
