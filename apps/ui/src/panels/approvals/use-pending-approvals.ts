import { useQuery } from '@tanstack/react-query';
import { api } from '../../data/api/api.ts';
import type { PendingApproval } from '../../data/api/api-types.ts';
import { queryKeys } from '../../data/queries/query-keys.ts';

/** The questions of waiting clients, oldest first. */
export function usePendingApprovals(): PendingApproval[] {
  const pending = useQuery({
    queryKey: queryKeys.approvals,
    queryFn: ({ signal }) => api.approvals.pending.query(undefined, { signal }),
  });
  return pending.data ?? none;
}

const none: PendingApproval[] = [];
