import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** The values of all members of the stored records whose key starts with this prefix. */
export function readRecords(folder: string, prefix: string): unknown[] {
  const db = new DatabaseSync(join(folder, 'trestle.db'), { readOnly: true });
  try {
    const rows = db.prepare('SELECT value FROM window_records WHERE key LIKE ?').all(`${prefix}%`);
    return rows.flatMap(({ value }) => Object.values(JSON.parse(String(value))));
  } finally {
    db.close();
  }
}
