import type { NewHistory } from '../log-queue/log-entry.ts';
import type { Row, Storage } from '../storage/storage.ts';
import type { HistoryEntry } from '../types.ts';

/** How many entries each connection keeps. */
const keptEntries = 10_000;

/** History as rows of `trestle.db`. */
export class HistoryRows {
  readonly #storage: Storage;
  readonly #keep: number;

  constructor(storage: Storage, { keep = keptEntries }: { keep?: number } = {}) {
    this.#storage = storage;
    this.#keep = keep;
  }

  /** Gives the entry's id; null where the connection was removed while the call ran. */
  insert(entry: NewHistory): string | null {
    const { changes, lastInsertRowid } = this.#storage.run(
      `INSERT INTO history (connection_id, caller, text, effect, outcome, error, rows, duration_ms, at)
       SELECT id, ?, ?, ?, ?, ?, ?, ?, ? FROM connections WHERE id = ?`,
      entry.caller,
      entry.text,
      entry.effect,
      entry.outcome,
      entry.error,
      entry.rows,
      entry.durationMs,
      entry.at,
      entry.connectionId,
    );
    if (changes === 0) return null;
    // Not at each entry: to find the oldest means to walk over all that are kept.
    if (lastInsertRowid % Math.max(1, Math.floor(this.#keep / 100)) === 0) this.#prune(entry.connectionId);
    return String(lastInsertRowid);
  }

  /** Newest first. */
  search(query: { connectionIds?: string[]; text?: string; limit: number; before?: string }): HistoryEntry[] {
    const { connectionIds, text, limit, before } = query;
    return this.#storage
      .all(
        `SELECT * FROM history
         WHERE (?1 IS NULL OR connection_id IN (SELECT value FROM json_each(?1)))
           AND (?2 IS NULL OR text LIKE ?2 ESCAPE '\\')
           AND (?3 IS NULL OR id < ?3)
         ORDER BY id DESC LIMIT ?4`,
        connectionIds ? JSON.stringify(connectionIds) : null,
        text ? `%${text.replace(/[\\%_]/g, '\\$&')}%` : null,
        before === undefined ? null : Number(before),
        limit,
      )
      .map(toEntry);
  }

  /** Gives the connection it was of, if it was there. */
  delete(id: string): string | undefined {
    const row = this.#storage.get('DELETE FROM history WHERE id = ? RETURNING connection_id', Number(id));
    return row && String(row.connection_id);
  }

  /** Of one connection, or all. Gives the connections that had entries. */
  clear(connectionId?: string): Set<string> {
    const rows =
      connectionId === undefined
        ? this.#storage.all('DELETE FROM history RETURNING connection_id')
        : this.#storage.all(
            'DELETE FROM history WHERE connection_id = ? RETURNING connection_id',
            connectionId,
          );
    return new Set(rows.map((row) => String(row.connection_id)));
  }

  /** The entry that is now one too many, found through the index, and whatever is older. */
  #prune(connectionId: string): void {
    this.#storage.run(
      `DELETE FROM history WHERE connection_id = ?1 AND id <=
         (SELECT id FROM history WHERE connection_id = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)`,
      connectionId,
      this.#keep,
    );
  }
}

function toEntry(row: Row): HistoryEntry {
  return {
    id: String(row.id),
    connectionId: String(row.connection_id),
    caller: String(row.caller),
    text: String(row.text),
    effect: row.effect as HistoryEntry['effect'],
    outcome: row.outcome as HistoryEntry['outcome'],
    error: row.error as string | null,
    rows: row.rows as number | null,
    durationMs: Number(row.duration_ms),
    at: String(row.at),
  };
}
