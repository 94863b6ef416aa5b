import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { connectionFailed } from './errors.ts';
import { type Handle, openHandle } from './handle.ts';

/**
 * One database file with a read-only handle that stays open. Writers are opened for each use: an open
 * handle would go on writing into a file that has since been deleted or replaced.
 */
export class DatabaseFile {
  readonly path: string;
  #reader: Handle | null;
  #identity: string | null;

  constructor(path: string) {
    this.path = resolve(path);
    this.#identity = identityOf(this.path);
    this.#reader = openHandle(this.path, 'ro');
  }

  /** The read-only handle, on the file that is at the path now. */
  reader(): Handle {
    this.#assertOpen();
    const identity = identityOf(this.path);
    // A file that this process may not look at may be another one by now.
    if (identity === null || identity !== this.#identity) this.reopen();
    return this.#reader!;
  }

  /** Proves that the path still leads to a database, and moves to it if it is another one. */
  reopen(): void {
    this.#assertOpen();
    const identity = identityOf(this.path);
    const fresh = openHandle(this.path, 'ro');
    this.#reader!.db.close();
    this.#reader = fresh;
    this.#identity = identity;
  }

  /** A read-only handle of its own, for a read that outlives a call. The caller closes it. */
  openReader(): Handle {
    this.#assertOpen();
    identityOf(this.path);
    return openHandle(this.path, 'ro');
  }

  /** A handle that writes. The caller closes it. */
  openWriter(): Handle {
    // The reader must see what is written, and so be on the same file.
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

/** Device and inode; null where this process may not look: the app grants no path with a star in it. */
function identityOf(path: string): string | null {
  // To be refused takes as long as a small query.
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
