import type { ColumnOrigin } from '@trestle/driver-kit';

/**
 * The guarded columns of the file, the names under which views show them, and the tables that must not be read at
 * all.
 */
export interface GuardedSchema {
  /** True if the request names no guarded column, and the text of the schema holds no masked kind of value. */
  readonly guardsNothing: boolean;
  /** The guarded column that this column shows, for example under another name in a view. Null if none is known. */
  base(relation: string, column: string): ColumnOrigin | null;
  /** Why a table or view must not be read at all. Null if it may be read. */
  problem(relation: string): string | null;
  hasGuarded(relation: string): boolean;
  /**
   * Whether a view has this name, and no trigger has it. If both have it, SQLite does not tell which of them made a read.
   */
  isView(name: string): boolean;
  /** Whether the rowid of any table is a guarded column. */
  hidesRowids(): boolean;
  /** Indexes that may be sorted by a guarded column, or whose WHERE clause may use one. */
  indexes(): string[];
  /** The tables of `indexes`, with A–Z in lower case. */
  indexedTables(): ReadonlySet<string>;
  /** The WITHOUT ROWID tables whose rows are stored in the order of a guarded column, with A–Z in lower case. */
  keyedTables(): ReadonlySet<string>;
  /** Whether the file has the statistics of ANALYZE. */
  hasStatistics(): boolean;
  /**
   * Whether a column of this name is guarded in one of these relations, named with A–Z in lower case. Does not find every
   * alias that a view gives to a guarded column.
   */
  isGuardedName(column: string, relations: ReadonlySet<string>): boolean;
}
