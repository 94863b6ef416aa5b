import { useQuery } from '@tanstack/react-query';
import { api } from '../../data/api/api.ts';
import { queryKeys } from '../../data/queries/query-keys.ts';

/** Whether this window may allow a question, and with what. Undefined until it is known. */
export function useAllowing(isAsked: boolean) {
  return useQuery({
    queryKey: queryKeys.allowing,
    queryFn: ({ signal }) => api.approvals.allowing.query(undefined, { signal }),
    enabled: isAsked,
    // The user sets the passphrase at a terminal while the question is visible. No event says so.
    refetchInterval: ({ state }) => (state.data === 'impossible' ? 2_000 : false),
  }).data;
}
