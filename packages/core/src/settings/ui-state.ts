import type { Storage } from '../storage/storage.ts';
import type { UiState } from '../types.ts';

export function createUiState(storage: Storage): UiState {
  return {
    get(key) {
      const row = storage.get('SELECT value FROM ui_state WHERE key = ?', key);
      return row ? JSON.parse(String(row.value)) : undefined;
    },
    set(key, value) {
      if (value === undefined || value === null) {
        storage.run('DELETE FROM ui_state WHERE key = ?', key);
        return;
      }
      storage.run(
        'INSERT INTO ui_state (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
        key,
        JSON.stringify(value),
      );
    },
  };
}
