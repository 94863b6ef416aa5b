import { useStore } from 'zustand';
import { keyedRecord } from '../../shared/records/keyed-record.ts';
import type { Comparison } from './comparison.ts';

export interface SavedComparison {
  name: string;
  comparison: Comparison;
}

function recordOf(connectionId: string, table: string) {
  return keyedRecord<SavedComparison>(`comparisons/${connectionId}/${JSON.stringify(table)}`, connectionId);
}

/** The saved comparisons of a table, sorted by name. All windows share them. */
export function useSavedComparisons(connectionId: string, table: string) {
  const record = recordOf(connectionId, table);
  const items = useStore(record.store, (state) => state.items);
  const list = Object.entries(items)
    .map(([id, item]) => ({ id, ...item }))
    .sort((a, b) => a.name.localeCompare(b.name));
  return {
    list,
    save: (id: string, item: SavedComparison) => record.set(id, item),
    rename(id: string, name: string) {
      const item = items[id];
      if (item) record.set(id, { ...item, name });
    },
    remove: (id: string) => record.set(id, null),
  };
}

export type SavedComparisons = ReturnType<typeof useSavedComparisons>;
