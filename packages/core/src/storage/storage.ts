import { chmodSync, closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from 'node:sqlite';
import { AppError } from '../errors.ts';
import { migrations } from './migrations.ts';

export type Row = Record<string, SQLOutputValue>;

/** `trestle.db`. Each statement is committed when its call returns. Each error is `storage_failed`. */
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

  /** A transaction: all or nothing. */
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

  /** Returns the space of deleted rows to the disk. */
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

  /** Reads the whole file and throws if any part of it is damaged. */
  check(): void {
    const [row] = this.all('PRAGMA quick_check(1)');
    if (row?.quick_check === 'ok') return;
    throw storageError(this.#path, Object.assign(new Error(String(row?.quick_check)), { errcode: corrupt }));
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

/** A file beside the damaged one, so that the next start looks at all of it. */
export function damageMark(path: string): string {
  return `${path}.check`;
}

function markDamaged(path: string): void {
  try {
    writeFileSync(damageMark(path), '', { mode: 0o600 });
  } catch {
    // The disk takes no file. The next start may still find the damage.
  }
}

/** Opens the file, readable by its owner only, and applies the migrations. Never deletes or replaces a file. */
export function openStorage(home: string, steps: readonly string[] = migrations): Storage {
  const path = join(home, 'trestle.db');
  let database: DatabaseSync | undefined;
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    // SQLite copies the mode of the main file to -wal and -shm, so the main file must be right first.
    closeSync(openSync(path, 'a', 0o600));
    chmodSync(path, 0o600);
    database = new DatabaseSync(path, { timeout: 5000 });
    // WAL with NORMAL keeps every commit if the process is killed. Only a power cut may lose the newest.
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

/** Without auto_vacuum the file never shrinks. For an existing file, SQLite must rewrite it once. */
function giveSpaceBack(database: DatabaseSync): void {
  const incremental = 2;
  if (database.prepare('PRAGMA auto_vacuum').get()?.auto_vacuum === incremental) return;
  try {
    database.exec('PRAGMA auto_vacuum = INCREMENTAL; VACUUM');
  } catch {
    // The disk has no room for a second copy, or another process is reading. The next start tries again.
  }
}

function migrate(database: DatabaseSync, path: string, steps: readonly string[]): void {
  // IMMEDIATE before reading the version: two processes that start at once must not both apply a step.
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

function newerFile(path: string): AppError {
  return new AppError({
    code: 'storage_failed',
    message: `${path} was written by a newer version of Trestle.`,
    hint: 'Update Trestle, or set TRESTLE_HOME to another directory.',
  });
}

/** Why a write failed, as the end of a sentence. */
export function whyUnwritable(error: unknown): string {
  const cause = error instanceof AppError ? error.cause : error;
  return writeProblems[resultCode(cause) ?? 0] ?? (error instanceof Error ? error.message : String(error));
}

/** SQLite's result codes: https://sqlite.org/rescode.html */
const readOnly = 8;
const corrupt = 11;
const full = 13;
const notADatabase = 26;
/** An extended code. */
const shortRead = 522;

const writeProblems: Record<number, string> = {
  [full]: 'the disk is full',
  [readOnly]: 'the file or its disk is read-only',
};

/** The content of the file is wrong. Another process or a full disk gives other codes. */
export function isDamaged(error: unknown): boolean {
  const cause = error instanceof AppError ? error.cause : error;
  const code = resultCode(cause);
  // A file that was cut in the middle of a page.
  const isShort = cause instanceof Error && 'errcode' in cause && cause.errcode === shortRead;
  return code === corrupt || code === notADatabase || isShort;
}

function resultCode(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : undefined;
}

function storageError(path: string, error: unknown): AppError {
  if (error instanceof AppError) return error;
  const code = resultCode(error);
  if (isDamaged(error)) {
    return new AppError(
      {
        code: 'storage_failed',
        message: `${path} is damaged and cannot be read.`,
        hint: 'Start Trestle again: it sets the file aside and begins a new one. Or restore it from a backup.',
      },
      { cause: error },
    );
  }
  const problem = writeProblems[code ?? 0];
  return new AppError(
    problem === undefined
      ? { code: 'storage_failed', message: `${path} could not be used: ${whyUnwritable(error)}` }
      : {
          code: 'storage_failed',
          message: `${path} cannot be written: ${problem}.`,
          hint: 'Make room on its disk, or make it writable, and try again.',
        },
    { cause: error },
  );
}
