import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { connectionFailed } from './errors.ts';
import { type Handle, openHandle } from './handle.ts';
import { queryRows } from './query.ts';
import { sql } from './sql.ts';

/**
 * One database file with a read-only handle that stays open. A writer is opened for each use: an open writer would
 * keep writing to a file that was deleted or replaced.
 */
export class DatabaseFile {
  readonly path: string;
  #reader: Handle | null;
  #readerId = randomUUID();
  #identity: string | null;

  constructor(path: string) {
    this.path = resolve(path);
    this.#identity = identityOf(this.path);
    this.#reader = openHandle(this.path, 'ro');
  }

  /** A text that differs after each transaction that any program commits to the file. */
  changeMark(): string {
    const handle = this.reader();
    // SQLite counts the commits of other connections for each connection separately, so the mark names the handle.
    return `${this.#readerId} ${dataVersion(handle)}`;
  }

  /**
   * Begins a transaction. Returns the mark of the data that it sees, or null if another program commits at this moment.
   * In an exclusive transaction the reader could not read the mark any more, so this method reads it before.
   */
  begin(writer: Handle, mode: 'IMMEDIATE' | 'EXCLUSIVE'): string | null {
    const before = dataVersion(writer);
    const mark = this.changeMark();
    writer.db.exec(`BEGIN ${mode}`);
    return dataVersion(writer) === before ? mark : null;
  }

  /** The read-only handle for the file that is at the path now. */
  reader(): Handle {
    this.#assertOpen();
    const identity = identityOf(this.path);
    // Without a stat, the driver does not know whether the file was replaced, so it opens the file again.
    if (identity === null || identity !== this.#identity) this.reopen();
    return this.#reader!;
  }

  /** Opens the path again. If that fails, it throws and keeps the old handle. */
  reopen(): void {
    this.#assertOpen();
    const identity = identityOf(this.path);
    const fresh = openHandle(this.path, 'ro');
    this.#reader!.db.close();
    this.#reader = fresh;
    this.#readerId = randomUUID();
    this.#identity = identity;
  }

  /** A separate read-only handle: an export's statement stays open between batches. The caller closes the handle. */
  openReader(): Handle {
    this.#assertOpen();
    // Throws if the path has no file, with a clearer message than SQLite's.
    identityOf(this.path);
    return openHandle(this.path, 'ro');
  }

  /** A handle for writing. The caller closes it. */
  openWriter(): Handle {
    // Opens the reader again if the file was replaced: the reader must see the data that the writer writes.
    this.reader();
    return openHandle(this.path, 'rw');
  }

  write<T>(use: (handle: Handle) => T): T {
    const handle = this.openWriter();
    try {
      return use(handle);
    } finally {
      handle.db.close();
    }
  }

  close(): void {
    this.#reader?.db.close();
    this.#reader = null;
  }

  #assertOpen(): void {
    if (!this.#reader) throw connectionFailed('the connection is closed', 'Open it again.');
  }
}

/** SQLite's count of the commits that other connections made. */
function dataVersion(handle: Handle): unknown {
  return queryRows(handle, sql`PRAGMA data_version`)[0]![0];
}

/**
 * Device and inode. Throws if the path has no file, or is a folder. Null if this process cannot stat the file.
 * For example, the app grants no right to a path with a star, because Node's permission model reads the star as a
 * wildcard.
 */
function identityOf(path: string): string | null {
  // The permission is checked first, because a refused stat takes as long as a small query.
  if (process.permission && !process.permission.has('fs.read', path)) return null;
  try {
    const stat = statSync(path, { bigint: true });
    if (stat.isDirectory()) throw connectionFailed(`${path} is a folder`, 'Choose a SQLite database file.');
    return `${stat.dev}:${stat.ino}`;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      throw connectionFailed(
        `no file at ${path}`,
        'Check the path. A database that does not exist is not created.',
        error,
      );
    }
    if (code === 'connection_failed') throw error;
    return null;
  }
}
