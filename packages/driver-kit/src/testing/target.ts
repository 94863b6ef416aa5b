import type { Capability, Filter, Manifest, Session } from '../index.ts';
import type { Cell, ColumnType } from '../values.ts';

/** A database that the contract can be held against. Every method is called on an open target only. */
export interface ContractTarget {
  manifest: Manifest;
  /** Called once before the suite. */
  open(): Promise<ContractDatabase>;
  /** The column types `createTable` can make. The sample has a column for each of these. */
  types: ColumnType[];
  /** Integers beyond 2^53 survive a round trip. */
  bigIntegers: boolean;
  /** The optional methods that the driver has. One that is lost fails the suite; one never declared is not missed. */
  has: readonly Capability[];
  /** Texts in the editor's language. Absent where the manifest's language is `none`. */
  queries?: ContractQueries;
  /** A call that has begun stops when its signal is aborted. False for a serial driver used without the link. */
  interrupts: boolean;
  /** A session sees only the tables that were there when it connected. */
  readsTablesOnce?: boolean;
  /**
   * Where the database's matching is not the contract's own (see `matches` in oracle.ts): whether a row
   * whose column holds `cell` passes the filter; undefined leaves it to the contract.
   */
  matches?(filter: Filter, cell: Cell, type: ColumnType): boolean | undefined;
  /** The order of two texts, where it is not that of their code points. */
  compareTexts?(a: string, b: string): number;
}

export interface ContractDatabase {
  /** A new session on the same database each time; the suite closes it. */
  connect(): Promise<Session>;
  /** Makes a table, with a key of the database's own kind, and puts the rows in. Gives its name. */
  createTable(spec: TableSpec): Promise<string>;
  close(): Promise<void>;
}

export interface TableSpec {
  name: string;
  columns: { name: string; type: ColumnType }[];
  /** A column that is absent or null is NULL. */
  rows: Record<string, Cell>[];
}

export interface ContractQueries {
  /** Gives the table's rows, at least `rows` of them. */
  read(table: string, rows: number): string;
  /** Sets the title of the row with this ordinal. `key` is the row's key. */
  write?(table: string, change: { ordinal: number; title: string; key: Record<string, Cell> }): string;
  /** Loses the table, or all of its rows. */
  destroy?(table: string): string;
  /** Does not end within minutes, unless it is stopped. */
  slow?: string;
  /** Not of the language. */
  invalid: string;
}
