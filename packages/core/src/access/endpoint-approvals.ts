import { randomUUID } from 'node:crypto';
import type { Endpoint, EndpointNeed } from '@trestle/driver-kit';
import type { Storage } from '../storage/storage.ts';
import type { Caller, Connection, GrantedApproval } from '../types.ts';

type Client = Extract<Caller, { kind: 'client' }>;

/**
 * The addresses to which the database may send a connection's stored keys for a client's request, in `trestle.db`. An
 * approval ends when the user withdraws it, or when a field or a secret of the connection changes. It holds for one
 * value of one setting: if the collection names another address, the user is asked again.
 */
export class EndpointApprovals {
  readonly #storage: Storage;
  readonly #onChange: () => void;

  constructor(storage: Storage, onChange: () => void) {
    this.#storage = storage;
    this.#onChange = onChange;
  }

  of(connectionId: string): Endpoint[] {
    return this.#storage
      .all(
        'SELECT table_name, setting, value FROM endpoint_approvals WHERE connection_id = ? ORDER BY rowid',
        connectionId,
      )
      .map((row) => ({
        table: String(row.table_name),
        setting: String(row.setting),
        value: String(row.value),
      }));
  }

  add(caller: Client, connection: Connection, { endpoints }: EndpointNeed): void {
    this.#storage.transaction(() => {
      for (const { table, setting, value } of endpoints) {
        this.#storage.run(
          `INSERT OR IGNORE INTO endpoint_approvals
             (id, connection_id, table_name, setting, value, token_name, client_name, granted_at)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
          ...[randomUUID(), connection.id, table, setting, value],
          ...[caller.token.name, caller.clientName, new Date().toISOString()],
        );
      }
    });
    this.#onChange();
  }

  /** Newest first. */
  granted(nameOf: (connectionId: string) => string | undefined): GrantedApproval[] {
    return this.#storage
      .all('SELECT * FROM endpoint_approvals ORDER BY granted_at DESC, rowid DESC')
      .map((row) => ({
        id: String(row.id),
        connection: {
          id: String(row.connection_id),
          name: nameOf(String(row.connection_id)) ?? '',
        },
        tokenName: String(row.token_name),
        clientName: String(row.client_name),
        grantedAt: String(row.granted_at),
        endpoint: {
          table: String(row.table_name),
          setting: String(row.setting),
          value: String(row.value),
        },
      }));
  }

  /** False if there is no such approval. */
  withdraw(id: string): boolean {
    if (!this.#storage.get('SELECT id FROM endpoint_approvals WHERE id = ?', id)) return false;
    this.#storage.run('DELETE FROM endpoint_approvals WHERE id = ?', id);
    this.#onChange();
    return true;
  }

  /** The keys, or the server that gets them, have changed. */
  endConnection(connectionId: string): void {
    if (this.of(connectionId).length === 0) return;
    this.#storage.run('DELETE FROM endpoint_approvals WHERE connection_id = ?', connectionId);
    this.#onChange();
  }
}
