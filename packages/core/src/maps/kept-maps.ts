import type { EventHub } from '../events/events.ts';
import type { Storage } from '../storage/storage.ts';
import type { KeptMaps, Settings } from '../types.ts';

/** The part of the limit that one map may take, so that it cannot evict all others. */
const mostOfLimit = 0.5;

/**
 * Stores vector maps in `trestle.db`, where they are deleted with their connection. Drops a map when Trestle may have
 * changed rows of its table.
 */
export function createKeptMaps(storage: Storage, settings: Settings, events: EventHub): KeptMaps {
  const use = () => {
    const row = storage.get('SELECT count(*) AS maps, total(bytes) AS bytes FROM kept_maps');
    return { maps: Number(row?.maps ?? 0), bytes: Number(row?.bytes ?? 0) };
  };
  const limit = () => settings.get().mapsMegabytes * 1024 ** 2;
  const makeRoom = (wanted: number) => {
    let removed = 0;
    while (use().bytes + wanted > limit()) {
      const { changes } = storage.run(
        'DELETE FROM kept_maps WHERE id = (SELECT id FROM kept_maps ORDER BY used_at, id LIMIT 1)',
      );
      if (changes === 0) break;
      removed += changes;
    }
    if (removed > 0) storage.giveBack();
  };
  events.on((event) => {
    if (event.type === 'rowsChanged')
      storage.run(
        // A client may have spelled the table in another case.
        'DELETE FROM kept_maps WHERE connection_id = ? AND table_name = ? COLLATE NOCASE',
        event.connectionId,
        event.table,
      );
    // A statement that writes emits this event too, and may have changed any table.
    else if (event.type === 'schemaChanged')
      storage.run('DELETE FROM kept_maps WHERE connection_id = ?', event.connectionId);
    else if (event.type === 'settingsChanged') makeRoom(0);
  });
  return {
    get(connectionId, key) {
      const row = storage.get(
        'SELECT id, map FROM kept_maps WHERE connection_id = ? AND key = ?',
        connectionId,
        key,
      );
      if (!row) return null;
      storage.run('UPDATE kept_maps SET used_at = ? WHERE id = ?', Date.now(), row.id!);
      return row.map as Uint8Array;
    },
    has: (connectionId, key) =>
      storage.get('SELECT 1 FROM kept_maps WHERE connection_id = ? AND key = ?', connectionId, key) !==
      undefined,
    keep({ connectionId, table, key, bytes }) {
      storage.run('DELETE FROM kept_maps WHERE connection_id = ? AND key = ?', connectionId, key);
      if (bytes.byteLength > limit() * mostOfLimit) return false;
      makeRoom(bytes.byteLength);
      // Inserts nothing if the connection is gone by now.
      const { changes } = storage.run(
        `INSERT INTO kept_maps (connection_id, table_name, key, map, bytes, used_at)
         SELECT id, ?, ?, ?, ?, ? FROM connections WHERE id = ?`,
        table,
        key,
        bytes,
        bytes.byteLength,
        Date.now(),
        connectionId,
      );
      return changes > 0;
    },
    clear() {
      storage.run('DELETE FROM kept_maps');
      storage.giveBack();
    },
    use,
  };
}
