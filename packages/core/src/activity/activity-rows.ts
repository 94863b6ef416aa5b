import type { SQLInputValue } from 'node:sqlite';
import { logBegun } from '../storage/rescue.ts';
import type { Row, Storage } from '../storage/storage.ts';
import type { ActivityEntry, ActivityFilter } from '../types.ts';
import type { Link } from './chain.ts';

interface SealedEntry extends ActivityEntry {
  /** Null until the row is sealed. */
  hash: string | null;
}

/** The last row that is no longer in the log: it was pruned, or is in a damaged file that was set aside. */
interface SignedStart extends Link {
  keyId: string;
  seal: string;
}

/** The id of a key, and the first row that it seals. The keys themselves are stored with the secrets. */
export interface KeyPeriod {
  id: string;
  firstRow: number;
}

/** The log as rows of `trestle.db`. */
export class ActivityRows {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  insert(entry: ActivityEntry, hash: string | null): void {
    this.#storage.run(
      `INSERT INTO activity
         (id, at, action, token_name, client_name, connection_id, outcome, detail, duration_ms, rows, digest, hash)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      entry.id,
      entry.at,
      entry.action,
      entry.tokenName,
      entry.clientName,
      entry.connectionId,
      entry.outcome,
      entry.detail,
      entry.durationMs,
      entry.rows,
      entry.digest,
      hash,
    );
  }

  setHash(id: number, hash: string): void {
    this.#storage.run('UPDATE activity SET hash = ? WHERE id = ?', hash, id);
  }

  /** Newest first. */
  list(filter: ActivityFilter & { limit: number; before?: number }): ActivityEntry[] {
    const conditions: [string, SQLInputValue | undefined][] = [
      ['id < ?', filter.before],
      ['token_name = ?', filter.tokenName],
      ['client_name = ?', filter.clientName],
      ['connection_id = ?', filter.connectionId],
      ['action = ?', filter.action],
      ['outcome = ?', filter.outcome],
      ['at >= ?', filter.since && new Date(filter.since).toISOString()],
      ['at < ?', filter.until && new Date(filter.until).toISOString()],
    ];
    const used = conditions.filter((one): one is [string, SQLInputValue] => one[1] !== undefined);
    const like = filter.text ? `%${filter.text.replace(/[\\%_]/g, '\\$&')}%` : null;
    const where = [...used.map(([condition]) => condition), ...(like ? [textCondition] : [])];
    const rows = this.#storage.all(
      `SELECT * FROM activity ${where.length > 0 ? `WHERE ${where.join(' AND ')}` : ''} ORDER BY id DESC LIMIT ?`,
      ...used.map(([, value]) => value),
      ...(like ? textColumns.map(() => like) : []),
      filter.limit,
    );
    return rows.map(toEntry);
  }

  /** Oldest first. */
  after(id: number, limit: number): SealedEntry[] {
    return this.#storage
      .all('SELECT * FROM activity WHERE id > ? ORDER BY id LIMIT ?', id, limit)
      .map((row) => ({ ...toEntry(row), hash: row.hash as string | null }));
  }

  /** The newest row, or null. */
  last(): { id: number; hash: string | null } | null {
    const row = this.#storage.get('SELECT id, hash FROM activity ORDER BY id DESC LIMIT 1');
    return row ? { id: Number(row.id), hash: row.hash as string | null } : null;
  }

  lastSealed(): Link | null {
    const row = this.#storage.get(
      'SELECT id, hash FROM activity WHERE hash IS NOT NULL ORDER BY id DESC LIMIT 1',
    );
    return row ? { id: Number(row.id), hash: String(row.hash) } : null;
  }

  start(): SignedStart | null {
    const row = this.#storage.get('SELECT * FROM activity_start');
    if (!row) return null;
    return {
      id: Number(row.last_id),
      hash: String(row.hash),
      keyId: String(row.key_id),
      seal: String(row.seal),
    };
  }

  /** In the order of their start. */
  keyPeriods(): KeyPeriod[] {
    return this.#storage
      .all('SELECT id, first_row FROM activity_keys ORDER BY position')
      .map((row) => ({ id: String(row.id), firstRow: Number(row.first_row) }));
  }

  /** A rescue of a damaged `trestle.db` began this log, and no key has sealed it yet. */
  isBegunAnew(): boolean {
    if (this.start() !== null || this.keyPeriods().length > 0) return false;
    const [first] = this.after(0, 1);
    return first?.action === logBegun && first.hash === null;
  }

  /**
   * Continues the row numbers of the log that was lost. If they began at 1 again, the check would report rows missing
   * at the end. The rows of the new log get the numbers after `start.id`.
   */
  beginAfter(start: SignedStart): void {
    this.#storage.transaction(() => {
      // In two steps, through negative numbers: a new number may still belong to another row.
      this.#storage.run('UPDATE activity SET id = -id');
      this.#storage.run('UPDATE activity SET id = ? - id', start.id);
      this.#writeStart(start);
      this.addKeyPeriod({ id: start.keyId, firstRow: start.id + 1 });
    });
  }

  addKeyPeriod({ id, firstRow }: KeyPeriod): void {
    this.#storage.run('INSERT INTO activity_keys (id, first_row) VALUES (?, ?)', id, firstRow);
  }

  /** The last row that can be pruned: it and all rows before it are sealed and older than the date. Else null. */
  lastBefore(at: string): Link | null {
    const row = this.#storage.get(
      `SELECT id, hash FROM activity WHERE hash IS NOT NULL
         AND id < coalesce((SELECT min(id) FROM activity WHERE at >= ? OR hash IS NULL), 9e15)
       ORDER BY id DESC LIMIT 1`,
      at,
    );
    return row ? { id: Number(row.id), hash: String(row.hash) } : null;
  }

  /** If the log is larger than the limit: the newest sealed row that must be pruned. Otherwise null. */
  lastOver(bytes: number): Link | null {
    const used = this.#storage.bytesOf('activity');
    if (used <= bytes) return null;
    // Assumes rows of about the same size. Prunes down to nine tenths of the limit, so that the next rows have room.
    const fraction = 1 - (bytes * 0.9) / used;
    const row = this.#storage.get(
      `SELECT id, hash FROM activity WHERE hash IS NOT NULL
         AND id <= (SELECT min(id) + (max(id) - min(id) + 1) * ? - 1 FROM activity)
       ORDER BY id DESC LIMIT 1`,
      fraction,
    );
    return row ? { id: Number(row.id), hash: String(row.hash) } : null;
  }

  use(): { entries: number; bytes: number } {
    const row = this.#storage.get('SELECT count(*) AS entries FROM activity');
    return { entries: Number(row?.entries), bytes: this.#storage.bytesOf('activity') };
  }

  prune(start: SignedStart): number {
    return this.#storage.transaction(() => {
      const { changes } = this.#storage.run('DELETE FROM activity WHERE id <= ?', start.id);
      this.#writeStart(start);
      return changes;
    });
  }

  #writeStart({ id, hash, keyId, seal }: SignedStart): void {
    this.#storage.run(
      'INSERT OR REPLACE INTO activity_start (only, last_id, hash, key_id, seal) VALUES (1, ?, ?, ?, ?)',
      id,
      hash,
      keyId,
      seal,
    );
  }

  transaction<T>(work: () => T): T {
    return this.#storage.transaction(work);
  }
}

const textColumns = ['action', 'token_name', 'client_name', 'detail', 'digest'];
const textCondition = `(${textColumns.map((name) => `${name} LIKE ? ESCAPE '\\'`).join(' OR ')})`;

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
