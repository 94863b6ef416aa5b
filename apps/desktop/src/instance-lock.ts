import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export interface InstanceLock {
  release(): void;
}

/**
 * Makes this process the only owner of the data directory. Null if another process owns it. Uses SQLite's file lock
 * because the kernel releases it with the process: kill -9 leaves no stale lock, unlike a pid file or a socket.
 */
export function tryInstanceLock(dataDirectory: string): InstanceLock | null {
  const database = new DatabaseSync(join(dataDirectory, 'instance.lock'), { timeout: 0 });
  try {
    // No journal file: nothing is ever written.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (isBusy(error)) return null;
    throw error;
  }
  return { release: () => database.close() };
}

function isBusy(error: unknown): boolean {
  const SQLITE_BUSY = 5;
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
}
