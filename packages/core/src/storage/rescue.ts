import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { migrations } from './migrations.ts';
import { openFile, type Storage } from './storage.ts';
import { isUnreadable } from './storage-errors.ts';
import { type Rescued, takeOver, tookNothing } from './take-over.ts';

export interface SetAside {
  /** The new path of the damaged file. */
  movedTo: string;
  rescued: Rescued;
}

/** The entry of `ui_state` that holds a `SetAside` until `noteDamage` has stored the message for the user. */
export const setAsideKey = 'set-aside';

/** The action of the first row in an activity log that a rescue began. */
export const logBegun = 'begin_log';

/**
 * Builds a new file with the rows of `rescuedTables` that can still be read. If the app is killed meanwhile, the new
 * file is incomplete and must not be used. Throws errors that are not about one row or one damaged page: rows must not
 * be dropped because a disk is full.
 */
export function rescue(damaged: string, { to, movedTo }: { to: string; movedTo: string }): void {
  const rescued = takeRows(damaged, to);
  // Applies the migrations that the damaged file did not have.
  const storage = openFile(to);
  try {
    storage.transaction(() => {
      closeLevels(storage);
      note(storage, { movedTo, rescued });
    });
    // Writes the -wal into the file. Closing would do that too, but reports no error if the disk is full.
    storage.giveBack();
  } finally {
    storage.close();
  }
}

/** In bytes. 0 if there is no such file. */
export function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function takeRows(damaged: string, to: string): Rescued {
  // An empty file must not be opened: SQLite would delete its -wal, which may be all that is left of the data.
  if (sizeOf(damaged) === 0) return tookNothing();
  const source = new DatabaseSync(damaged, { readOnly: true });
  try {
    // The rows fit only the tables of the damaged file's version. Later migrations run afterwards.
    const storage = openFile(to, migrations.slice(0, versionOf(source)));
    try {
      return storage.transaction(() => takeOver(source, storage));
    } finally {
      storage.close();
    }
  } finally {
    source.close();
  }
}

function versionOf(source: DatabaseSync): number {
  try {
    const version = Number(source.prepare('PRAGMA user_version').get()?.user_version);
    return version > 0 ? version : migrations.length;
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    return migrations.length;
  }
}

/** Blocks external clients, because damage may have changed their rights. Replaces invalid levels by the strictest. */
function closeLevels(storage: Storage): void {
  storage.run(`
    UPDATE connections SET external_clients = 'blocked',
      ai_policy = iif(ai_policy IN ('alwaysAllow', 'askEachTime', 'never'), ai_policy, 'never'),
      safe_mode = iif(safe_mode IN ('off', 'confirm', 'readOnly'), safe_mode, 'readOnly')`);
}

/** Stores the report in the new file itself: after a kill, the next start must still report the rescue. */
function note(storage: Storage, setAside: SetAside): void {
  storage.run(
    'INSERT INTO ui_state (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
    setAsideKey,
    JSON.stringify(setAside),
  );
  storage.run(
    "INSERT INTO activity (at, action, outcome, detail) VALUES (?, ?, 'ok', ?)",
    new Date().toISOString(),
    logBegun,
    `trestle.db was damaged and set aside as ${basename(setAside.movedTo)}, which has the earlier entries`,
  );
}
