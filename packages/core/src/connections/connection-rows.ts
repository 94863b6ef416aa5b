import type { ConnectionFields } from '@trestle/driver-kit';
import { AppError } from '../errors.ts';
import { noMasking } from '../masking/mask.ts';
import type { Row, Storage } from '../storage/storage.ts';
import type { Connection, Masking } from '../types.ts';

/**
 * Connections as rows of `trestle.db`. A row names the fields that have a secret, and contains no secret. Each client
 * call reads connections several times, so they are cached. The cache is safe: only the process that owns the data
 * directory writes to `trestle.db`.
 */
export class ConnectionRows {
  readonly #storage: Storage;
  #kept: Map<string, Connection> | undefined;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** Each connection is frozen, since all callers share it. */
  list(): Connection[] {
    return [...this.#all().values()];
  }

  get(id: string): Connection | undefined {
    return this.#all().get(id);
  }

  insert(connection: Connection): void {
    this.#change(
      `INSERT INTO connections (name, driver, fields, stored_secrets, external_clients, ai_policy, safe_mode,
         color, word, masking, reach_limit, sample, created_at, updated_at, id, position)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, (SELECT coalesce(max(position), 0) + 1 FROM connections))`,
      ...values(connection),
    );
  }

  update(connection: Connection): void {
    this.#change(
      `UPDATE connections SET name = ?, driver = ?, fields = ?, stored_secrets = ?, external_clients = ?,
         ai_policy = ?, safe_mode = ?, color = ?, word = ?, masking = ?, reach_limit = ?, sample = ?,
         created_at = ?, updated_at = ? WHERE id = ?`,
      ...values(connection),
    );
  }

  /** Stores all of the connections or none. */
  saveAll(changes: { isNew: boolean; connection: Connection }[]): void {
    try {
      this.#storage.transaction(() => {
        for (const { isNew, connection } of changes) this[isNew ? 'insert' : 'update'](connection);
      });
    } finally {
      // A row that was read during a failed transaction must not stay in the cache.
      this.#kept = undefined;
    }
  }

  delete(id: string): void {
    this.#change('DELETE FROM connections WHERE id = ?', id);
  }

  /** Connections that are not named keep their order, after the named ones. */
  reorder(ids: string[]): void {
    this.#storage.transaction(() => {
      const known = this.list().map((connection) => connection.id);
      const unknown = ids.find((id) => !known.includes(id));
      if (unknown !== undefined) {
        throw new AppError({ code: 'not_found', message: 'There is no connection with this id' });
      }
      const order = [...new Set([...ids, ...known])];
      for (const [position, id] of order.entries()) {
        this.#change('UPDATE connections SET position = ? WHERE id = ?', position + 1, id);
      }
    });
  }

  #change(...statement: Parameters<Storage['run']>): void {
    try {
      this.#storage.run(...statement);
    } finally {
      // The cache still has the old rows.
      this.#kept = undefined;
    }
  }

  #all(): Map<string, Connection> {
    this.#kept ??= new Map(
      this.#storage
        .all('SELECT * FROM connections ORDER BY position, rowid')
        .map(toConnection)
        .map((connection) => [connection.id, frozen(connection)]),
    );
    return this.#kept;
  }
}

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const part of Object.values(value)) frozen(part);
    Object.freeze(value);
  }
  return value;
}

function values(connection: Connection) {
  return [
    connection.name,
    connection.driver,
    JSON.stringify(connection.fields),
    JSON.stringify(connection.storedSecrets),
    connection.externalClients,
    connection.aiPolicy,
    connection.safeMode,
    connection.color,
    connection.word,
    JSON.stringify(connection.masking ?? noMasking),
    connection.reachLimit,
    connection.sample ? 1 : 0,
    connection.createdAt,
    connection.updatedAt,
    connection.id,
  ];
}

function toConnection(row: Row): Connection {
  return {
    id: String(row.id),
    name: String(row.name),
    driver: String(row.driver),
    fields: JSON.parse(String(row.fields)) as ConnectionFields,
    storedSecrets: JSON.parse(String(row.stored_secrets)) as string[],
    externalClients: row.external_clients as Connection['externalClients'],
    aiPolicy: row.ai_policy as Connection['aiPolicy'],
    safeMode: row.safe_mode as Connection['safeMode'],
    color: row.color as string | null,
    word: row.word as string | null,
    masking: JSON.parse(String(row.masking)) as Masking,
    reachLimit: Number(row.reach_limit),
    sample: row.sample === 1,
    createdAt: String(row.created_at),
    updatedAt: String(row.updated_at),
  };
}
