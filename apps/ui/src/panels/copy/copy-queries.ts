import { useQuery } from '@tanstack/react-query';
import { api } from '../../data/api/api.ts';
import { queryClient } from '../../data/queries/queries.ts';
import { queryKeys } from '../../data/queries/query-keys.ts';

export type KnownCopy = Awaited<ReturnType<typeof api.copies.list.query>>[number];
export type CopyReport = NonNullable<KnownCopy['report']>;

/** How often the window asks for the progress of a copy. */
const pollMs = 500;

/**
 * Copies that are running, have ended or were interrupted; newest first. A copy is listed until the user dismisses it
 * or the app deletes it. Events report each start, end and dismissal, so the window polls only while a copy runs.
 */
export function useCopies() {
  return useQuery({
    queryKey: queryKeys.copies,
    queryFn: ({ signal }) => api.copies.list.query(undefined, { signal }),
    refetchInterval: ({ state }) => (state.data?.some(({ state }) => state === 'running') ? pollMs : false),
  });
}

/** Reads the list again, also if nothing shows it now. The dialog of a new copy looks for the copy in this list. */
export function refreshCopies(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: queryKeys.copies, refetchType: 'all' });
}

/** The end of a copy that is not in the list. The app may return the report only once, so the query keeps it. */
export function useCopyEnd(id: string) {
  return useQuery({
    queryKey: ['copyEnd', id],
    queryFn: () => api.copies.progress.query({ id }),
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? pollMs : false),
  });
}
