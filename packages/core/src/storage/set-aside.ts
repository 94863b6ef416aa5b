import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Rescued, rescue } from './rescue.ts';
import { damageMark, isDamaged, openStorage, type Storage } from './storage.ts';

/** The tables that the app reads at its start. They are small. */
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
  'copies',
];

export interface SetAside {
  /** The new name of the damaged file. */
  movedTo: string;
  rescued: Rescued;
}

/**
 * Opens `trestle.db`. A damaged file is moved aside and a new one begun, with what can still be read: the app must
 * start. The caller holds the instance lock, so no other process has the file open.
 */
export function openOrSetAside(home: string): { storage: Storage; setAside: SetAside | null } {
  const path = join(home, 'trestle.db');
  let storage: Storage | undefined;
  try {
    storage = openStorage(home);
    for (const table of startTables) storage.all(`SELECT * FROM ${table}`);
    // An earlier run met damage in a part that no start reads.
    if (existsSync(damageMark(path))) storage.check();
    rmSync(damageMark(path), { force: true });
    return { storage, setAside: null };
  } catch (error) {
    storage?.close();
    if (!isDamaged(error)) throw error;
    const movedTo = moveAside(path);
    rmSync(damageMark(path), { force: true });
    const fresh = openStorage(home);
    return { storage: fresh, setAside: { movedTo, rescued: rescue(movedTo, fresh) } };
  }
}

/** The journal goes with its file: it would be applied to the new one. */
function moveAside(path: string): string {
  const time = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '');
  let target = `${path}.damaged-${time}`;
  for (let count = 2; existsSync(target); count++) target = `${path}.damaged-${time}-${count}`;
  for (const suffix of ['-wal', '-shm', '']) {
    if (existsSync(path + suffix)) renameSync(path + suffix, target + suffix);
  }
  return target;
}
