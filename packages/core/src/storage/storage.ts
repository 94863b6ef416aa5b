import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from 'node:sqlite';
import { AppError } from '../errors.ts';
import { migrations } from './migrations.ts';

export type Row = Record<string, SQLOutputValue>;

/** `trestle.db`: every statement is committed when its call returns, and every error is `storage_failed`. */
export class Storage {
  readonly #database: DatabaseSync;
  readonly #path: string;
  readonly #statements = new Map<string, StatementSync>();
  #later: (() => void)[] = [];

  constructor(database: DatabaseSync, path: string) {
    this.#database = database;
    this.#path = path;
  }

  run(sql: string, ...values: SQLInputValue[]): { changes: number; lastInsertRowid: number } {
    return this.#guard(() => {
      const { changes, lastInsertRowid } = this.#prepare(sql).run(...values);
      return { changes: Number(changes), lastInsertRowid: Number(lastInsertRowid) };
    });
  }

  get(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#guard(() => this.#prepare(sql).get(...values));
  }

  all(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#guard(() => this.#prepare(sql).all(...values));
  }

  /** All of it or nothing. */
  transaction<T>(work: () => T): T {
    this.#guard(() => this.#database.exec('BEGIN IMMEDIATE'));
    try {
      const result = work();
      this.#guard(() => this.#database.exec('COMMIT'));
      return result;
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }

  /**
   * Does the work once the event loop is free, and before anything else is read or written here: an answer that
   * is on its way need not wait for the disk. The work must not throw.
   */
  later(work: () => void): void {
    if (this.#later.push(work) === 1) setImmediate(() => this.catchUp());
  }

  close(): void {
    this.catchUp();
    if (this.#database.isOpen) this.#database.close();
  }

  /** Does what was put off, now. For who keeps in memory what the next write builds on. */
  catchUp(): void {
    if (this.#later.length === 0) return;
    const works = this.#later;
    this.#later = [];
    for (const work of works) work();
  }

  #prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  #guard<T>(work: () => T): T {
    this.catchUp();
    try {
      return work();
    } catch (error) {
      throw storageError(this.#path, error);
    }
  }
}

/** Opens the file, readable by its owner alone, and brings it up to date. Never deletes or replaces one. */
export function openStorage(home: string, steps: readonly string[] = migrations): Storage {
  const path = join(home, 'trestle.db');
  let database: DatabaseSync | undefined;
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    // SQLite gives its -wal and -shm files the mode of the main file, so that one must be right first.
    closeSync(openSync(path, 'a', 0o600));
    chmodSync(path, 0o600);
    database = new DatabaseSync(path, { timeout: 5000 });
    // WAL with NORMAL keeps every commit through a killed process; only a power cut may cost the newest.
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON');
    migrate(database, path, steps);
    return new Storage(database, path);
  } catch (error) {
    if (database?.isOpen) database.close();
    throw storageError(path, error);
  }
}

function migrate(database: DatabaseSync, path: string, steps: readonly string[]): void {
  // IMMEDIATE before the version is read: two processes starting at once must not both apply a step.
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

const corrupt = 11;
const notADatabase = 26;

function storageError(path: string, error: unknown): AppError {
  if (error instanceof AppError) return error;
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : undefined;
  if (code === corrupt || code === notADatabase) {
    return new AppError({
      code: 'storage_failed',
      message: `${path} is damaged and cannot be read.`,
      hint: 'It was left as it is. Restore it from a backup, or move it away to start with an empty one.',
    });
  }
  return new AppError({
    code: 'storage_failed',
    message: `${path} could not be used: ${error instanceof Error ? error.message : String(error)}`,
  });
}
