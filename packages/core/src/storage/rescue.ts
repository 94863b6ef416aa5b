import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { Storage } from './storage.ts';

/** How many rows of each kind were taken over. */
export interface Rescued {
  connections: number;
  settings: number;
}

/** Connections first: others refer to them. Tokens are left out, since a damaged one might allow more than before. */
const tables = ['connections', 'settings', 'ui_state', 'window_records'];

/** Takes over the rows of a damaged file that can still be read. */
export function rescue(damaged: string, storage: Storage): Rescued {
  const taken: Record<string, number> = {};
  let source: DatabaseSync | undefined;
  try {
    source = new DatabaseSync(damaged, { readOnly: true });
    for (const table of tables) taken[table] = takeOver(source, table, storage);
  } catch {
    // Not even its list of tables can be read.
  } finally {
    if (source?.isOpen) source.close();
  }
  // Damage may have changed what clients were allowed.
  storage.run("UPDATE connections SET external_clients = 'blocked'");
  return { connections: taken.connections ?? 0, settings: taken.settings ?? 0 };
}

function takeOver(source: DatabaseSync, table: string, storage: Storage): number {
  let count = 0;
  try {
    for (const row of source.prepare(`SELECT * FROM ${table}`).iterate()) {
      const names = Object.keys(row);
      const places = names.map(() => '?').join(', ');
      try {
        storage.run(
          `INSERT INTO ${table} (${names.join(', ')}) VALUES (${places})`,
          ...(Object.values(row) as SQLInputValue[]),
        );
        count++;
      } catch {
        // This row makes no sense.
      }
    }
  } catch {
    // The rest of the table cannot be read.
  }
  return count;
}
