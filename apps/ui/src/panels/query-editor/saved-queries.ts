import { create, useStore } from 'zustand';
import { showToast } from '../../data/messages/toast.tsx';
import { keyedRecord } from '../../shared/records/keyed-record.ts';

export interface SavedQuery {
  name: string;
  text: string;
}

export interface ListedQuery extends SavedQuery {
  id: string;
}

/** The saved queries of a connection. The app stores them, and all windows share them. */
function recordOf(connectionId: string) {
  return keyedRecord<SavedQuery>(`queries/${connectionId}`, connectionId);
}

/** Sorted by name. */
export function useSavedQueries(connectionId: string): ListedQuery[] {
  return inOrder(useStore(recordOf(connectionId).store, ({ items }) => items));
}

/** Undefined if the query was never saved, or has been deleted. */
export function useSavedQuery(connectionId: string, id: string | undefined): SavedQuery | undefined {
  return useStore(recordOf(connectionId).store, ({ items }) => (id === undefined ? undefined : items[id]));
}

/** The last deleted query, for undo. */
export const useDeletedQuery = create<{ deleted: (ListedQuery & { connectionId: string }) | null }>(() => ({
  deleted: null,
}));

export const savedQueries = {
  list: (connectionId: string) => inOrder(recordOf(connectionId).store.getState().items),

  save(connectionId: string, query: ListedQuery): void {
    const { id, name, text } = query;
    recordOf(connectionId).set(id, { name, text });
  },

  rename(connectionId: string, id: string, name: string): void {
    const record = recordOf(connectionId);
    const known = record.store.getState().items[id];
    if (known) record.set(id, { ...known, name });
  },

  /** Deletes the query without asking the user, who can undo the deletion. */
  remove(connectionId: string, id: string): void {
    const record = recordOf(connectionId);
    const known = record.store.getState().items[id];
    if (!known) return;
    record.set(id, null);
    const deleted = { id, connectionId, ...known };
    useDeletedQuery.setState({ deleted });
    showToast({
      title: `Deleted “${known.name}”`,
      forMs: 10_000,
      action: { label: 'Undo', onSelect: () => savedQueries.bringBack(deleted) },
    });
  },

  /** Restores the given deleted query, or by default the last deleted one. */
  bringBack(deleted = useDeletedQuery.getState().deleted): void {
    if (!deleted) return;
    savedQueries.save(deleted.connectionId, deleted);
    useDeletedQuery.setState((last) => (last.deleted?.id === deleted.id ? { deleted: null } : last));
  },
};

function inOrder(items: Record<string, SavedQuery>): ListedQuery[] {
  return Object.entries(items)
    .filter(([, item]) => typeof item?.name === 'string' && typeof item.text === 'string')
    .map(([id, item]) => ({ id, ...item }))
    .sort((a, b) => a.name.localeCompare(b.name) || a.id.localeCompare(b.id));
}
