import type { ConnectionFields } from '@trestle/driver-kit';
import { AppError } from '../errors.ts';
import { noMasking } from '../masking/mask.ts';
import type { Row, Storage } from '../storage/storage.ts';
import type { Connection, Masking } from '../types.ts';

/** Connections as rows of `trestle.db`. Knows nothing of secrets but the ids of the fields that have one. */
export class ConnectionRows {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  list(): Connection[] {
    return this.#storage.all('SELECT * FROM connections ORDER BY position, rowid').map(toConnection);
  }

  get(id: string): Connection | undefined {
    const row = this.#storage.get('SELECT * FROM connections WHERE id = ?', id);
    return row && toConnection(row);
  }

  insert(connection: Connection): void {
    this.#storage.run(
      `INSERT INTO connections (name, driver, fields, stored_secrets, external_clients, ai_policy, safe_mode,
         color, masking, sample, created_at, updated_at, id, position)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, (SELECT coalesce(max(position), 0) + 1 FROM connections))`,
      ...values(connection),
    );
  }

  update(connection: Connection): void {
    this.#storage.run(
      `UPDATE connections SET name = ?, driver = ?, fields = ?, stored_secrets = ?, external_clients = ?,
         ai_policy = ?, safe_mode = ?, color = ?, masking = ?, sample = ?, created_at = ?, updated_at = ? WHERE id = ?`,
      ...values(connection),
    );
  }

  delete(id: string): void {
    this.#storage.run('DELETE FROM connections WHERE id = ?', id);
  }

  /** Connections not named keep their order, after the named ones. */
  reorder(ids: string[]): void {
    this.#storage.transaction(() => {
      const known = this.list().map((connection) => connection.id);
      const unknown = ids.find((id) => !known.includes(id));
      if (unknown !== undefined) {
        throw new AppError({ code: 'not_found', message: 'There is no connection with this id' });
      }
      const order = [...new Set([...ids, ...known])];
      for (const [position, id] of order.entries()) {
        this.#storage.run('UPDATE connections SET position = ? WHERE id = ?', position + 1, id);
      }
    });
  }
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
    JSON.stringify(connection.masking ?? noMasking),
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
    masking: JSON.parse(String(row.masking)) as Masking,
    sample: row.sample === 1,
    createdAt: String(row.created_at),
    updatedAt: String(row.updated_at),
  };
}
