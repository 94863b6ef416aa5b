/** A request of SQLite's authorizer while it compiles a statement: https://sqlite.org/c3ref/c_alter_table.html */
export interface Action {
  code: number;
  first: string | null;
  second: string | null;
  database: string | null;
  /** The trigger or view that causes the request. Null for the statement itself. */
  source: string | null;
}
