import { randomUUID } from 'node:crypto';
import { packWire, unpackWire } from '@trestle/driver-kit';
import type { Row, Storage } from '../storage/storage.ts';
import type { CopyCounts, CopyReport, CopyRequest } from '../types.ts';
import type { CopyCursor } from './copy-cursor.ts';

type Ends = Pick<CopyRequest, 'from' | 'to'>;

export interface NotedCopy extends Ends {
  id: string;
  startedAt: string;
  counts: CopyCounts;
  /** Null while the copy runs, and if the app stopped during it. */
  report: CopyReport | null;
}

export interface UnfinishedCopy {
  id: string;
  counts: CopyCounts;
  cursor: CopyCursor | null;
}

/** Beyond this number, the oldest copies with a report are deleted, even if nobody has dismissed them. */
const keptCopies = 50;

/** Each copy and its position, in `trestle.db`. */
export class CopyJournal {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  begin({ from, to }: Ends): string {
    const id = randomUUID();
    this.#storage.run(
      `INSERT INTO copies (id, from_connection, from_table, to_connection, to_table, started_at, counts)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      id,
      from.connectionId,
      from.table,
      to.connectionId,
      to.table,
      new Date().toISOString(),
      JSON.stringify(noCounts),
    );
    this.#storage.run(
      `DELETE FROM copies WHERE report IS NOT NULL AND id NOT IN
         (SELECT id FROM copies ORDER BY started_at DESC LIMIT ${keptCopies})`,
    );
    return id;
  }

  /**
   * Returns the newest copy between these two tables if it must run again, otherwise null. Without a cursor, it begins
   * at the first row.
   */
  unfinished({ from, to }: Ends): UnfinishedCopy | null {
    const row = this.#storage.get(
      `SELECT * FROM copies
       WHERE from_connection = ? AND from_table = ? AND to_connection = ? AND to_table = ?
       ORDER BY started_at DESC LIMIT 1`,
      from.connectionId,
      from.table,
      to.connectionId,
      to.table,
    );
    if (!row) return null;
    const { id, counts, report } = toCopy(row);
    if (report?.ended !== 'complete' || report.failed + report.unknown > 0)
      return { id, counts, cursor: cursorOf(row) };
    // If rows of the target differ or are missing, the copy begins at the first row.
    if (report.different.length > 0 || report.inTarget < report.total) return { id, counts, cursor: null };
    return report.unavailable.length > 0 ? { id, counts, cursor: cursorOf(row) } : null;
  }

  resume(id: string): void {
    this.#storage.run('UPDATE copies SET report = NULL WHERE id = ?', id);
  }

  noteCursor(id: string, cursor: CopyCursor, counts: CopyCounts): void {
    this.#storage.run(
      'UPDATE copies SET cursor = ?, counts = ? WHERE id = ?',
      packWire(cursor),
      JSON.stringify(counts),
      id,
    );
  }

  end(id: string, report: CopyReport): void {
    const { copied, existing, failed, unknown, total } = report;
    this.#storage.run(
      'UPDATE copies SET report = ?, counts = ? WHERE id = ?',
      JSON.stringify(report),
      JSON.stringify({ copied, existing, failed, unknown, total }),
      id,
    );
  }

  /** Newest first. */
  all(): NotedCopy[] {
    return this.#storage.all('SELECT * FROM copies ORDER BY started_at DESC').map(toCopy);
  }

  get(id: string): NotedCopy | null {
    const row = this.#storage.get('SELECT * FROM copies WHERE id = ?', id);
    return row ? toCopy(row) : null;
  }

  forget(id: string): void {
    this.#storage.run('DELETE FROM copies WHERE id = ?', id);
  }
}

export const noCounts: CopyCounts = { copied: 0, existing: 0, failed: 0, unknown: 0, total: 0 };

/** Without a usable cursor, the copy begins at the first row. Rows that the target has do not change. */
function cursorOf({ cursor }: Row): CopyCursor | null {
  try {
    return cursor === null ? null : (unpackWire(cursor as Uint8Array) as CopyCursor);
  } catch {
    return null;
  }
}

function toCopy(row: Row): NotedCopy {
  return {
    id: String(row.id),
    from: { connectionId: String(row.from_connection), table: String(row.from_table) },
    to: { connectionId: String(row.to_connection), table: String(row.to_table) },
    startedAt: String(row.started_at),
    // Earlier versions did not count unknown rows apart from failed ones.
    counts: { ...noCounts, ...(JSON.parse(String(row.counts)) as CopyCounts) },
    report: row.report === null ? null : { ...noCounts, ...(JSON.parse(String(row.report)) as CopyReport) },
  };
}
