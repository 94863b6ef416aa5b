import { chmodSync, closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from 'node:sqlite';
import { tableWithLargeNumber } from './large-numbers.ts';
import { migrations } from './migrations.ts';
import { damagedFile, isConstraint, isDamaged, newerFile, storageError } from './storage-errors.ts';

export type Row = Record<string, SQLOutputValue>;

/**
 * `trestle.db`. Outside a transaction, each statement is committed when its call returns. Errors of SQLite become
 * `storage_failed`.
 */
export class Storage {
  readonly #database: DatabaseSync;
  readonly #path: string;
  readonly #statements = new Map<string, StatementSync>();

  constructor(database: DatabaseSync, path: string) {
    this.#database = database;
    this.#path = path;
  }

  run(sql: string, ...values: SQLInputValue[]): { changes: number; lastInsertRowid: number } {
    return this.#attempt(() => {
      const { changes, lastInsertRowid } = this.#prepare(sql).run(...values);
      return { changes: Number(changes), lastInsertRowid: Number(lastInsertRowid) };
    });
  }

  get(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#attempt(() => this.#prepare(sql).get(...values));
  }

  all(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#attempt(() => this.#prepare(sql).all(...values));
  }

  transaction<T>(work: () => T): T {
    this.#attempt(() => this.#database.exec('BEGIN IMMEDIATE'));
    try {
      const result = work();
      this.#attempt(() => this.#database.exec('COMMIT'));
      return result;
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }

  /** Returns the space of deleted rows to the disk, and writes the -wal into the file. */
  giveBack(): void {
    this.#attempt(() => this.#database.exec('PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(TRUNCATE)'));
  }

  /** The size of a table and its indexes in the file, in bytes. */
  bytesOf(table: string): number {
    const row = this.get(
      `SELECT sum(pgsize) AS bytes FROM dbstat
       WHERE aggregate = TRUE AND name IN (SELECT name FROM sqlite_schema WHERE tbl_name = ?)`,
      table,
    );
    return Number(row?.bytes ?? 0);
  }

  /**
   * Reads the whole file and throws if it is damaged. If only indexes are damaged, builds them again from their
   * tables instead. `quick_check` alone would miss an index that differs from its table.
   */
  check(): void {
    let problem = this.#problem('integrity_check');
    if (problem !== null && this.#problem('quick_check') === null) {
      this.#reindex();
      problem = this.#problem('integrity_check');
    }
    if (problem !== null) throw damagedFile(this.#path, problem);
    const table = this.#attempt(() => tableWithLargeNumber(this.#database));
    if (table !== null) throw damagedFile(this.#path, `A number in ${table} is too large`);
  }

  /** The first problem that the check finds, or null. */
  #problem(check: 'integrity_check' | 'quick_check'): string | null {
    const answer = String(this.get(`PRAGMA ${check}(1)`)?.[check]);
    return answer === 'ok' ? null : answer;
  }

  #reindex(): void {
    try {
      this.run('REINDEX');
    } catch (error) {
      // Two rows have the same unique value, so the table is damaged too.
      if (!isConstraint(error)) throw error;
    }
  }

  close(): void {
    if (this.#database.isOpen) this.#database.close();
  }

  #prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  #attempt<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (isDamaged(error)) markDamaged(this.#path);
      throw storageError(this.#path, error);
    }
  }
}

/** A file next to the damaged one. It tells the next start to check the whole database. */
export function damageMark(path: string): string {
  return `${path}.check`;
}

function markDamaged(path: string): void {
  try {
    writeFileSync(damageMark(path), '', { mode: 0o600 });
  } catch {
    // The disk accepts no file. The next start may still find the damage.
  }
}

/** Opens `trestle.db` in the data directory. */
export function openStorage(home: string, steps: readonly string[] = migrations): Storage {
  return openFile(join(home, 'trestle.db'), steps);
}

/** Opens the file, readable by its owner only, and applies the migrations. A damaged file stays in its place. */
export function openFile(path: string, steps: readonly string[] = migrations): Storage {
  let database: DatabaseSync | undefined;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    // SQLite copies the mode of the main file to -wal and -shm, so the main file must have the right mode first.
    closeSync(openSync(path, 'a', 0o600));
    chmodSync(path, 0o600);
    database = new DatabaseSync(path, { timeout: 5000 });
    // WAL with NORMAL keeps every commit if the process is killed. A power cut or a crash of the system may lose the
    // newest commits.
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON');
    database.exec('PRAGMA journal_size_limit = 4194304');
    giveSpaceBack(database);
    migrate(database, path, steps);
    return new Storage(database, path);
  } catch (error) {
    if (database?.isOpen) database.close();
    throw storageError(path, error);
  }
}

/** Without auto_vacuum, deleting rows does not shrink the file. To turn it on, SQLite must rewrite an existing file. */
function giveSpaceBack(database: DatabaseSync): void {
  const incremental = 2;
  if (database.prepare('PRAGMA auto_vacuum').get()?.auto_vacuum === incremental) return;
  try {
    database.exec('PRAGMA auto_vacuum = INCREMENTAL; VACUUM');
  } catch {
    // For example, the disk has no room for a second copy, another process is reading, or the file is damaged. The
    // next start tries again.
  }
}

function migrate(database: DatabaseSync, path: string, steps: readonly string[]): void {
  // IMMEDIATE before reading the version: two processes that start at the same time must not both apply a step.
  for (;;) {
    database.exec('BEGIN IMMEDIATE');
    try {
      const version = Number(database.prepare('PRAGMA user_version').get()?.user_version);
      if (version > steps.length) throw newerFile(path);
      const step = steps[version];
      if (step !== undefined) {
        database.exec(step);
        database.exec(`PRAGMA user_version = ${version + 1}`);
      }
      database.exec('COMMIT');
      if (step === undefined) return;
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK');
      throw error;
    }
  }
}
