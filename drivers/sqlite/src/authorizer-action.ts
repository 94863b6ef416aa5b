/**
 * One request of SQLite to the authorizer, made while SQLite compiles a statement. The meaning of `first` and `second`
 * depends on `code`: https://sqlite.org/c3ref/c_alter_table.html
 */
export interface Action {
  code: number;
  first: string | null;
  second: string | null;
  database: string | null;
  /**
   * The name of the trigger, view or WITH table that causes the request. Null for the statement itself and for foreign
   * key actions such as ON DELETE CASCADE.
   */
  source: string | null;
}
