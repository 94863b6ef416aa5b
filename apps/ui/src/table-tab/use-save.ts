import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ChangeSet } from '@trestle/driver-kit';
import { data } from '../shared/api.ts';
import { queryKeys } from '../shared/query-keys.ts';
import { changesOf, settle, stagedRows } from './staged-edits.ts';
import type { TableStore } from './table-store.ts';

/** Sends what is staged. Each row reports for itself: the good ones clear and reload, the others stay. */
export function useSave(connectionId: string, table: string, store: TableStore) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => data('applyChanges', connectionId, changeSet(table, store)),
    onSuccess: (outcomes) => {
      store.setState(({ edits }) => ({ edits: settle(edits, outcomes) }));
      if (outcomes.some(({ status }) => status === 'applied')) {
        void client.invalidateQueries({ queryKey: queryKeys.rows(connectionId, table) });
      }
    },
  });
}

export function changeSet(table: string, store: TableStore): ChangeSet {
  const { edits, partition } = store.getState();
  const changes = changesOf(stagedRows(edits));
  return { table, ...(partition !== undefined && { partition }), changes };
}
