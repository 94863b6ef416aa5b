import type { NewHistory } from '../log-queue/log-entry.ts';
import { StoredRemovals } from '../storage/removals.ts';
import type { Row, Storage } from '../storage/storage.ts';
import type { HistoryEntry } from '../types.ts';

interface HistoryLimits {
  /** Per connection. */
  entries: number;
  /** Of all connections together. */
  bytes: number;
}

/** History as rows of `trestle.db`. */
export class HistoryRows {
  readonly #storage: Storage;
  readonly #removals: StoredRemovals;
  readonly #limits: () => HistoryLimits;
  #sinceLooked = 0;

  constructor(storage: Storage, limits: () => HistoryLimits) {
    this.#storage = storage;
    this.#removals = new StoredRemovals(storage);
    this.#limits = limits;
  }

  /** Returns the entry's id, or null if the connection no longer exists. */
  insert(entry: NewHistory): string | null {
    const { changes, lastInsertRowid } = this.#storage.run(
      `INSERT INTO history (connection_id, caller, token_id, text, cut_from, effect, outcome, error, rows, duration_ms, at)
       SELECT id, ?, ?, ?, ?, ?, ?, ?, ?, ?, ? FROM connections WHERE id = ?`,
      entry.caller,
      // An entry that an earlier version stored as an intent (`LogQueue.begin`) has no token id.
      entry.tokenId ?? null,
      entry.text,
      entry.cutFrom,
      entry.effect,
      entry.outcome,
      entry.error,
      entry.rows,
      entry.durationMs,
      entry.at,
      entry.connectionId,
    );
    if (changes === 0) return null;
    const { entries, bytes } = this.#limits();
    // A prune walks over all entries of the connection. So with a high limit, only some inserts prune.
    if (lastInsertRowid % Math.max(1, Math.floor(entries / 100)) === 0)
      this.#pruneEntries(entry.connectionId, entries);
    this.#sinceLooked += Buffer.byteLength(entry.text);
    if (this.#sinceLooked * 20 > bytes) this.#pruneBytes(bytes);
    return String(lastInsertRowid);
  }

  /** Newest first. */
  search(query: { connectionIds?: string[]; text?: string; limit: number; before?: string }): HistoryEntry[] {
    const { connectionIds, text, limit, before } = query;
    // For one connection, SQLite uses an index, which also has the rows in the order of their ids. For several
    // connections, SQLite reads the rows of all connections. The text search uses `instr`, because LIKE refuses a
    // search text of more than 50,000 bytes.
    const isOne = connectionIds?.length === 1;
    const ofConnections = isOne
      ? 'connection_id = ?1'
      : '(?1 IS NULL OR connection_id IN (SELECT value FROM json_each(?1)))';
    return this.#storage
      .all(
        `SELECT * FROM history
         WHERE ${ofConnections}
           AND (?2 IS NULL OR instr(lower(text), lower(?2)) > 0)
           AND (?3 IS NULL OR id < ?3)
         ORDER BY id DESC LIMIT ?4`,
        isOne ? connectionIds[0]! : connectionIds ? JSON.stringify(connectionIds) : null,
        text || null,
        before === undefined ? null : Number(before),
        limit,
      )
      .map(toEntry);
  }

  /** Returns the connection of the removed entry, if there was one. */
  delete(id: string): string | undefined {
    const row = this.#storage.get('DELETE FROM history WHERE id = ? RETURNING connection_id', Number(id));
    return row && String(row.connection_id);
  }

  /** Clears one connection or all. Returns the connections that had entries. */
  clear(connectionId?: string): Set<string> {
    const rows =
      connectionId === undefined
        ? this.#storage.all('DELETE FROM history RETURNING connection_id')
        : this.#storage.all(
            'DELETE FROM history WHERE connection_id = ? RETURNING connection_id',
            connectionId,
          );
    const cleared = new Set(rows.map((row) => String(row.connection_id)));
    // The user clears the history on purpose, so the window need not say that a limit removed earlier entries.
    this.#removals.forget('history', connectionId);
    return cleared;
  }

  /** Removes entries over the limits, oldest first. Returns their number. */
  prune(): number {
    const { entries, bytes } = this.#limits();
    const connections = this.#storage.all('SELECT DISTINCT connection_id AS id FROM history');
    const removed = connections.map(({ id }) => this.#pruneEntries(String(id), entries));
    return removed.reduce((sum, count) => sum + count, 0) + this.#pruneBytes(bytes);
  }

  use(): { entries: number; bytes: number } {
    const row = this.#storage.get('SELECT count(*) AS entries FROM history');
    return { entries: Number(row?.entries), bytes: this.#storage.bytesOf('history') };
  }

  /** Keeps the newest `keep` entries of the connection and deletes the others. */
  #pruneEntries(connectionId: string, keep: number): number {
    const { changes } = this.#storage.run(
      `DELETE FROM history WHERE connection_id = ?1 AND id <=
         (SELECT id FROM history WHERE connection_id = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)`,
      connectionId,
      keep,
    );
    this.#removals.note('history', changes, connectionId);
    return changes;
  }

  /** Over the limit, removes the oldest entries down to nine tenths of it, so that the next entries have room. */
  #pruneBytes(limit: number): number {
    this.#sinceLooked = 0;
    const sum = this.#storage.get(`SELECT sum(${entryBytes}) AS bytes FROM history`);
    if (Number(sum?.bytes ?? 0) <= limit) return 0;
    const removed = this.#storage.all(
      `DELETE FROM history WHERE id <= (SELECT id FROM
         (SELECT id, sum(${entryBytes}) OVER (ORDER BY id DESC) AS kept FROM history)
         WHERE kept > ? ORDER BY id DESC LIMIT 1) RETURNING connection_id AS id`,
      limit * 0.9,
    );
    for (const [id, rows] of Map.groupBy(removed, (row) => String(row.id)))
      this.#removals.note('history', rows.length, id);
    return removed.length;
  }
}

/** `octet_length` does not load the text. The rest of a row and its place in the index take about 200 bytes. */
const entryBytes = 'octet_length(text) + coalesce(octet_length(error), 0) + 200';

function toEntry(row: Row): HistoryEntry {
  return {
    id: String(row.id),
    connectionId: String(row.connection_id),
    caller: String(row.caller),
    tokenId: row.token_id as string | null,
    text: String(row.text),
    cutFrom: row.cut_from as number | null,
    effect: row.effect as HistoryEntry['effect'],
    outcome: row.outcome as HistoryEntry['outcome'],
    error: row.error as string | null,
    rows: row.rows as number | null,
    durationMs: Number(row.duration_ms),
    at: String(row.at),
  };
}
