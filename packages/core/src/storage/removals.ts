import type { Removal, RemovalKind, Removals } from '../types.ts';
import type { Storage } from './storage.ts';

/** Counts the entries that a limit removed, so the window can show the user where entries are missing. */
export class StoredRemovals implements Removals {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  note(kind: RemovalKind, entries: number, connectionId: string | null = null): void {
    if (entries === 0) return;
    this.#storage.run(
      `INSERT INTO removals (kind, connection_id, entries, at) VALUES (?, ?, ?, ?)
       ON CONFLICT (kind, coalesce(connection_id, '')) DO UPDATE
       SET entries = entries + excluded.entries, at = excluded.at`,
      kind,
      connectionId,
      entries,
      new Date().toISOString(),
    );
  }

  of(kind: RemovalKind, connectionId: string | null = null): Removal | null {
    const row = this.#storage.get(
      'SELECT entries, at FROM removals WHERE kind = ? AND connection_id IS ?',
      kind,
      connectionId,
    );
    return row ? { entries: Number(row.entries), at: String(row.at) } : null;
  }

  /** Without a connection, forgets all removals of this kind. */
  forget(kind: RemovalKind, connectionId: string | null = null): void {
    this.#storage.run(
      'DELETE FROM removals WHERE kind = ?1 AND (?2 IS NULL OR connection_id = ?2)',
      kind,
      connectionId,
    );
  }
}
