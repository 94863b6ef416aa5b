import type { EventHub } from '../events/events.ts';
import type { Row, Storage } from '../storage/storage.ts';
import type { History, HistoryEntry } from '../types.ts';

/** How many entries each connection keeps. */
const keptEntries = 10_000;

export interface HistoryLog extends Omit<History, 'searchAs'> {
  /** Gives the entry's id. */
  record(entry: Omit<HistoryEntry, 'id' | 'at'>): string;
}

export function createHistory(
  storage: Storage,
  events: EventHub,
  { keep = keptEntries }: { keep?: number } = {},
): HistoryLog {
  /** The entry that is now one too many, found through the index, and whatever is older. */
  function prune(connectionId: string): void {
    storage.run(
      `DELETE FROM history WHERE connection_id = ?1 AND id <=
         (SELECT id FROM history WHERE connection_id = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)`,
      connectionId,
      keep,
    );
  }

  return {
    record(entry) {
      const { lastInsertRowid } = storage.run(
        `INSERT INTO history (connection_id, caller, text, effect, outcome, error, rows, duration_ms, at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        entry.connectionId,
        entry.caller,
        entry.text,
        entry.effect,
        entry.outcome,
        entry.error,
        entry.rows,
        entry.durationMs,
        new Date().toISOString(),
      );
      // Not at each entry: to find the oldest means to walk over all that are kept.
      if (lastInsertRowid % Math.max(1, Math.floor(keep / 100)) === 0) prune(entry.connectionId);
      events.emit({ type: 'historyChanged', connectionId: entry.connectionId });
      return String(lastInsertRowid);
    },
    search({ connectionIds, text, limit, before }) {
      return storage
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
    },
    remove(id) {
      const row = storage.get('DELETE FROM history WHERE id = ? RETURNING connection_id', Number(id));
      if (row) events.emit({ type: 'historyChanged', connectionId: String(row.connection_id) });
    },
    clear(connectionId) {
      const rows =
        connectionId === undefined
          ? storage.all('DELETE FROM history RETURNING connection_id')
          : storage.all('DELETE FROM history WHERE connection_id = ? RETURNING connection_id', connectionId);
      for (const id of new Set(rows.map((row) => String(row.connection_id)))) {
        events.emit({ type: 'historyChanged', connectionId: id });
      }
    },
  };
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
