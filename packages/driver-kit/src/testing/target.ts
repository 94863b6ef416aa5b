import type { Capability, Filter, Manifest, Session } from '../index.ts';
import type { Cell, ColumnType } from '../values.ts';

/** How the contract suite opens a database for the driver, and what it may expect of database and driver. */
export interface ContractTarget {
  manifest: Manifest;
  /** Called once before the suite. */
  open(): Promise<ContractDatabase>;
  /**
   * The column types that the suite tests. They must include `text`. The sample has one column of each type, and
   * the int column `ordinal`.
   */
  types: ColumnType[];
  /** Integers beyond 2^53 survive a round trip. */
  bigIntegers: boolean;
  /** The optional methods that the driver has. The suite fails if the driver lacks one of them or has another. */
  has: readonly Capability[];
  /** Statements in the editor's language. Undefined if the manifest's language is `none`. */
  queries?: ContractQueries;
  /** The driver, or the link that runs it, stops a running call when its signal is aborted. */
  interrupts: boolean;
  /** A session sees only the tables that existed when it connected. */
  readsTablesOnce?: boolean;
  /**
   * For a database that matches differently from the contract (see `matches` in oracle.ts): whether a row with `cell`
   * matches the filter. Undefined: the contract decides.
   */
  matches?(filter: Filter, cell: Cell, type: ColumnType): boolean | undefined;
  /** How a sort orders two texts. Defaults to the order of their code points. Filters do not use this function. */
  compareTexts?(a: string, b: string): number;
}

export interface ContractDatabase {
  /** Opens a new session on the same database. The suite closes the session. */
  connect(): Promise<Session>;
  /** Creates a table with the database's own kind of key, and inserts the rows. Returns the table's name. */
  createTable(spec: TableSpec): Promise<string>;
  close(): Promise<void>;
}

export interface TableSpec {
  name: string;
  columns: { name: string; type: ColumnType }[];
  /** A row that lacks a column has NULL there. */
  rows: Record<string, Cell>[];
}

export interface ContractQueries {
  /** A statement that returns at least `rows` rows of the table. */
  read(table: string, rows: number): string;
  /** Sets the title of the row with this ordinal. `key` is the row's key. */
  write?(table: string, change: { ordinal: number; title: string; key: Record<string, Cell> }): string;
  /** Deletes the table or all of its rows. */
  destroy?(table: string): string;
  /** Runs for minutes unless it is stopped. */
  slow?: string;
  /** Not valid in the editor's language. */
  invalid: string;
}
