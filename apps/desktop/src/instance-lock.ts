import { truncateSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export interface InstanceLock {
  release(): void;
}

/**
 * Makes this process the only owner of the data directory. Null if the directory has an owner. Uses SQLite's file lock
 * because the kernel releases it when the process ends: kill -9 leaves no stale lock, unlike a pid file or a socket.
 */
export function tryInstanceLock(dataDirectory: string): InstanceLock | null {
  const path = join(dataDirectory, 'instance.lock');
  try {
    return lock(path);
  } catch (error) {
    // The lock file is normally empty. SQLite takes the lock before it reads. So if SQLite reports bad
    // content, nobody else holds the lock, and the file can be emptied.
    if (resultCode(error) !== notADatabase && resultCode(error) !== corrupt) throw error;
    truncateSync(path);
    return lock(path);
  }
}

function lock(path: string): InstanceLock | null {
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    // No journal file is needed, because nothing is written.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (resultCode(error) === busy) return null;
    throw error;
  }
  return { release: () => database.close() };
}

/** SQLite's result codes: https://sqlite.org/rescode.html */
const busy = 5;
const corrupt = 11;
const notADatabase = 26;

function resultCode(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : undefined;
}
