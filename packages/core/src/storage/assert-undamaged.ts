import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { AppError } from '../errors.ts';
import { damagedRows } from './damaged-rows.ts';
import { sizeOf } from './rescue.ts';
import { isDamageToSetAside, startTables } from './set-aside.ts';
import { damageMark } from './storage.ts';
import { damagedFile, isDamaged, storageError } from './storage-errors.ts';

/**
 * Throws if the next start would set `trestle.db` or some of its entries aside. Changes no file. The caller holds the
 * instance lock. Other errors are left to the code that opens the file.
 */
export function assertUndamaged(home: string): void {
  const path = join(home, 'trestle.db');
  if (isDamageToSetAside(path)) throw damagedFile(path, 'A start sets the file aside');
  if (sizeOf(path) === 0) return;
  const hasWal = sizeOf(`${path}-wal`) > 0;
  const hadShm = existsSync(`${path}-shm`);
  const url = pathToFileURL(path);
  // Without it, SQLite would create a -wal and a -shm, also to read.
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
  const known = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  const names = new Set(known.map(({ name }) => String(name)));
  // A file of an older version lacks some tables.
  for (const table of startTables) if (names.has(table)) database.prepare(`SELECT * FROM ${table}`).all();
  if (existsSync(damageMark(path))) {
    const answer = database.prepare('PRAGMA quick_check(1)').get()?.quick_check;
    if (answer !== 'ok') throw damagedFile(path, String(answer));
  }
  const damaged = damagedRows({ all: (sql) => database.prepare(sql).all() });
  if (damaged.length === 0) return;
  throw new AppError({
    code: 'storage_failed',
    message: `Entries of ${path} are damaged: ${damaged.join(', ')}`,
    hint: 'Starting Trestle sets them aside. To keep them, restore the file from a backup first.',
  });
}
