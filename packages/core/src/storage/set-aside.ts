import { closeSync, existsSync, fsyncSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { rescue, type SetAside, setAsideKey, sizeOf } from './rescue.ts';
import { damageMark, openStorage, type Storage } from './storage.ts';
import { damagedFile, isDamaged } from './storage-errors.ts';

/** Each start reads these tables whole, to find damage. They are small. */
const startTables = [
  'settings',
  'connections',
  'tokens',
  'ui_state',
  'window_records',
  'call_intents',
  'registry',
  'removals',
  'activity_start',
  'activity_keys',
  'saves',
  'staged_lists',
  'staged_commands',
  'copies',
  'spent_rows',
];

/** Each start runs these reads to find damage. The activity log is large, so only its last row is read. */
export const startReads = [
  ...startTables.map((table) => `SELECT * FROM ${table}`),
  'SELECT * FROM activity ORDER BY id DESC LIMIT 1',
];

/**
 * Opens `trestle.db`. A damaged file is moved aside. A new file with the rows that can still be read takes its place,
 * since the app must start. The caller holds the instance lock, so no other process of Trestle has the file open.
 *
 * A kill at any point leaves the damaged file in its place, or a complete new file that the next start uses.
 */
export function openOrSetAside(home: string): { storage: Storage; setAside: SetAside | null } {
  const path = join(home, 'trestle.db');
  putInPlace(path);
  let storage: Storage | undefined;
  try {
    if (isEmptied(path)) throw damagedFile(path, 'The file is empty');
    storage = openStorage(home);
    for (const read of startReads) storage.all(read);
    // An earlier run met damage, perhaps in a part that no start reads. So the whole file is checked.
    if (existsSync(damageMark(path))) storage.check();
    rmSync(damageMark(path), { force: true });
  } catch (error) {
    storage?.close();
    if (!isDamaged(error)) throw error;
    rebuild(path);
    putInPlace(path);
    storage = openStorage(home);
  }
  return { storage, setAside: untold(storage) };
}

/** Whether the next start puts a new file at this path without reading the old one. */
export function isDamageToSetAside(path: string): boolean {
  return waitingFile(path) !== null || isEmptied(path);
}

/**
 * A first start that was killed may leave an empty file without a -wal. With a -wal, the file had content. SQLite would
 * delete the -wal of an empty file.
 */
function isEmptied(path: string): boolean {
  return sizeOf(path) === 0 && sizeOf(`${path}-wal`) > 0;
}

/** Part of the name of a complete new file that has not yet replaced the damaged one. A time follows. */
const waitingName = '.rescued-';
/** Part of the name of a file that was moved aside. A time follows. */
const damagedName = '.damaged-';

function rebuild(path: string): void {
  const time = freeTime(path);
  const building = `${path}.building`;
  removeAll(building);
  try {
    rescue(path, { to: building, movedTo: path + damagedName + time });
    sync(building);
  } catch (error) {
    removeAll(building);
    throw error;
  }
  // After this rename, the next start uses the new file.
  renameSync(building, path + waitingName + time);
  syncFolder(path);
}

/**
 * Moves the damaged file away and the new one to its place. Each step can be repeated: if the app is killed, the next
 * start begins here again. The -wal moves before the file. If the app is killed between the two moves, the next start
 * gives both files the same time in their names.
 */
function putInPlace(path: string): void {
  const waiting = waitingFile(path);
  if (waiting === null) return;
  const wanted = waiting.slice((path + waitingName).length);
  // If the damaged file has already been moved, a file in its place is a different one, such as a file of an older
  // version of Trestle. That file gets a name of its own, so that no file is overwritten.
  const time = existsSync(path + damagedName + wanted) ? freeTime(path) : wanted;
  for (const suffix of ['-wal', '-shm', '']) {
    if (existsSync(path + suffix)) renameSync(path + suffix, path + damagedName + time + suffix);
  }
  rmSync(damageMark(path), { force: true });
  // The new file must not arrive on the disk before the -wal has left: SQLite would apply the -wal to the new file.
  syncFolder(path);
  renameSync(waiting, path);
  syncFolder(path);
}

function waitingFile(path: string): string | null {
  const folder = dirname(path);
  if (!existsSync(folder)) return null;
  const found = readdirSync(folder).find((name) => name.startsWith(basename(path) + waitingName));
  return found === undefined ? null : join(folder, found);
}

/** A part of a file name that no earlier damaged file has. */
function freeTime(path: string): string {
  const time = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '');
  let free = time;
  for (let count = 2; existsSync(path + damagedName + free); count++) free = `${time}-${count}`;
  return free;
}

function removeAll(path: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(path + suffix, { force: true });
  rmSync(damageMark(path), { force: true });
}

function sync(path: string): void {
  const handle = openSync(path, 'r+');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Makes a rename survive a power cut. */
function syncFolder(path: string): void {
  try {
    const handle = openSync(dirname(path), 'r');
    try {
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
  } catch {
    // Windows cannot open a folder. Its file system writes renames in their order.
  }
}

/** The file that was set aside. Null if there is none, or if `noteDamage` has stored the message about it. */
function untold(storage: Storage): SetAside | null {
  const row = storage.get('SELECT value FROM ui_state WHERE key = ?', setAsideKey);
  try {
    return row ? (JSON.parse(String(row.value)) as SetAside) : null;
  } catch {
    // This entry is damaged too. `setAsideDamagedRows` handles such entries.
    return null;
  }
}
