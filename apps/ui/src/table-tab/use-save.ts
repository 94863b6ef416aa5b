import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import type { ChangeOutcome, ChangeSet } from '@trestle/driver-kit';
import { type ApiError, acknowledgeSave, saveChanges, toApiError } from '../shared/api.ts';
import { queryKeys } from '../shared/query-keys.ts';
import { changesOf, settle, stagedRows } from './staged-edits.ts';
import type { TableStore } from './table-store.ts';

/** Sends what is staged. Each row reports for itself: the good ones clear and reload, the others stay. */
export function useSave(connectionId: string, table: string, store: TableStore) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      const id = crypto.randomUUID();
      const outcomes: ChangeOutcome[] = [];
      let failure: ApiError | undefined;
      try {
        for await (const some of saveChanges(id, connectionId, changeSet(table, store)))
          outcomes.push(...some);
      } catch (error) {
        failure = toApiError(error);
      }
      // What was saved is read first: without its edit a cell would show the old value until then.
      if (outcomes.some(({ status }) => status === 'applied')) await readAgain(client, connectionId, table);
      store.setState(({ edits }) => ({ edits: settle(edits, outcomes) }));
      // Outcomes that did not get here must stay in the journal.
      if (failure?.code !== 'app_unreachable') await acknowledgeSave(connectionId, id);
      if (failure) throw failure;
    },
  });
}

/** Ends when the page is there; counting a large table may take longer. */
async function readAgain(client: QueryClient, connectionId: string, table: string): Promise<void> {
  const page = {
    queryKey: queryKeys.rows(connectionId, table, 'page'),
    type: 'active',
    fetchStatus: 'fetching',
  } as const;
  void client.invalidateQueries({
    queryKey: queryKeys.rows(connectionId, table),
    predicate: ({ queryKey }) => queryKey[3] !== 'page',
  });
  await client.invalidateQueries({ queryKey: page.queryKey });
  // The app's own word of the change begins the reading anew, and so ends the wait for the first.
  while (client.isFetching(page) > 0) await client.refetchQueries(page, { cancelRefetch: false });
}

export function changeSet(table: string, store: TableStore): ChangeSet {
  const { edits, partition } = store.getState();
  const changes = changesOf(stagedRows(edits));
  return { table, ...(partition !== undefined && { partition }), changes };
}
