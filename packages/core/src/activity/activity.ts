import type { Row, Storage } from '../storage/storage.ts';
import type { Activity, ActivityEntry } from '../types.ts';

/** What clients did. `record` is the only way in. */
export function createActivity(storage: Storage): Activity {
  return {
    record(entry) {
      storage.run(
        `INSERT INTO activity
           (at, action, token_name, client_name, connection_id, outcome, detail, duration_ms, rows, digest)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        new Date().toISOString(),
        entry.action,
        entry.tokenName,
        entry.clientName,
        entry.connectionId,
        entry.outcome,
        entry.detail,
        entry.durationMs,
        entry.rows,
        entry.digest,
      );
    },
    list({ limit, before }) {
      return storage
        .all(
          'SELECT * FROM activity WHERE ?1 IS NULL OR id < ?1 ORDER BY id DESC LIMIT ?2',
          before ?? null,
          limit,
        )
        .map(toEntry);
    },
  };
}

function toEntry(row: Row): ActivityEntry {
  return {
    id: Number(row.id),
    at: String(row.at),
    action: String(row.action),
    tokenName: row.token_name as string | null,
    clientName: row.client_name as string | null,
    connectionId: row.connection_id as string | null,
    outcome: row.outcome as ActivityEntry['outcome'],
    detail: row.detail as string | null,
    durationMs: row.duration_ms as number | null,
    rows: row.rows as number | null,
    digest: row.digest as string | null,
  };
}
