import type { EventHub } from '../events/events.ts';
import { damagedPrefix } from '../storage/damaged-rows.ts';
import type { Row, Storage } from '../storage/storage.ts';
import type { WindowRecord, WindowRecords } from '../types.ts';

/** Compare and set: a window cannot overwrite a newer record that it has not seen. */
export function createWindowRecords(storage: Storage, events: EventHub): WindowRecords {
  const get = (key: string) => {
    const row = storage.get('SELECT version, key, value FROM window_records WHERE key = ?', key);
    return row ? recordOf(row) : null;
  };
  /** The last write to each key, if that write has an id. */
  const lastWrites = new Map<string, { id: string; version: number }>();
  const follows = (key: string, current: number, after: string | undefined) => {
    const last = lastWrites.get(key);
    return after !== undefined && last?.id === after && last.version === current;
  };
  return {
    all: () =>
      storage
        .all('SELECT version, key, value FROM window_records ORDER BY key')
        .filter(({ key }) => !String(key).startsWith(damagedPrefix))
        .map(recordOf),
    get,
    write({ key, version, value, connectionId, id, after }) {
      const answer = storage.transaction(() => {
        const current = get(key);
        const currentVersion = current?.version ?? 0;
        if (currentVersion !== version && !follows(key, currentVersion, after)) {
          return { written: false, current } as const;
        }
        storage.run('DELETE FROM window_records WHERE key = ?', key);
        if (value === null || value === undefined || isGone(connectionId)) {
          return { written: true, version: 0 } as const;
        }
        const { lastInsertRowid } = storage.run(
          'INSERT INTO window_records (key, connection_id, value) VALUES (?, ?, ?)',
          key,
          connectionId ?? null,
          JSON.stringify(value),
        );
        return { written: true, version: lastInsertRowid } as const;
      });
      if (!answer.written) return answer;
      if (id === undefined) lastWrites.delete(key);
      else lastWrites.set(key, { id, version: answer.version });
      events.emit({ type: 'recordChanged', key, version: answer.version });
      return answer;
    },
  };

  function isGone(connectionId: string | undefined): boolean {
    if (connectionId === undefined) return false;
    return storage.get('SELECT 1 FROM connections WHERE id = ?', connectionId) === undefined;
  }
}

function recordOf({ key, version, value }: Row): WindowRecord {
  return { key: String(key), version: Number(version), value: JSON.parse(String(value)) };
}
