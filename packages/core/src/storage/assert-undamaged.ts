import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { AppError } from '../errors.ts';
import { damagedRows } from './damaged-rows.ts';
import { tableWithLargeNumber } from './large-numbers.ts';
import { sizeOf } from './rescue.ts';
import { isDamageToSetAside, startReads } from './set-aside.ts';
import { damageMark, type Row } from './storage.ts';
import { damagedFile, isDamaged, isUnreadable, storageError } from './storage-errors.ts';

/**
 * Throws if it finds that the next start would replace `trestle.db` or set some of its entries aside. Ignores errors
 * that are not damage. Does not change the database. The caller holds the instance lock.
 */
export function assertUndamaged(home: string): void {
  const path = join(home, 'trestle.db');
  if (isDamageToSetAside(path)) throw damagedFile(path, 'A start sets the file aside');
  if (sizeOf(path) === 0) return;
  const hasWal = sizeOf(`${path}-wal`) > 0;
  const hadShm = existsSync(`${path}-shm`);
  const url = pathToFileURL(path);
  // Without `immutable`, SQLite would create a -wal and a -shm even though it only reads.
  if (!hasWal) url.searchParams.set('immutable', '1');
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(url, { readOnly: true });
    readAll(database, path);
  } catch (error) {
    if (error instanceof AppError || isDamaged(error)) throw storageError(path, error);
  } finally {
    database?.close();
    if (hasWal && !hadShm) rmSync(`${path}-shm`, { force: true });
  }
}

function readAll(database: DatabaseSync, path: string): void {
  for (const read of startReads) rowsOf(database, read);
  if (existsSync(damageMark(path))) {
    const answer = database.prepare('PRAGMA quick_check(1)').get()?.quick_check;
    if (answer !== 'ok') throw damagedFile(path, String(answer));
    const table = tableWithLargeNumber(database);
    if (table !== null) throw damagedFile(path, `A number in ${table} is too large`);
  }
  const damaged = damagedRows({ all: (sql) => rowsOf(database, sql) });
  if (damaged.length === 0) return;
  throw new AppError({
    code: 'storage_failed',
    message: `Entries of ${path} are damaged: ${damaged.join(', ')}`,
    hint: 'Starting Trestle sets them aside. To keep them, restore the file from a backup first.',
  });
}

/** Returns no row if a table or a column is missing, as in a file of an older version. */
function rowsOf(database: DatabaseSync, sql: string): Row[] {
  try {
    return database.prepare(sql).all();
  } catch (error) {
    if (isDamaged(error) || !isUnreadable(error)) throw error;
    return [];
  }
}
