import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Design } from '@trestle/driver-kit';
import { useEffect, useState } from 'react';
import { api } from '../../data/api/api.ts';
import { queryKeys } from '../../data/queries/query-keys.ts';

export function useDesignForm(connectionId: string) {
  return useQuery({
    queryKey: queryKeys.design(connectionId, 'form'),
    queryFn: ({ signal }) => api.designs.form.query({ connectionId }, { signal }),
  });
}

/**
 * The statements for the design, and its problems. While the user types, the last plan stays. `isCurrent`: the plan is
 * of this design.
 */
export function usePlan(connectionId: string, design: Design) {
  const settled = useSettled(design);
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: queryKeys.design(connectionId, 'plan', settled),
    queryFn: ({ signal }) =>
      api.designs.plan.query({ connectionId, request: { design: settled } }, { signal }),
    placeholderData: keepPreviousData,
    // Another program may take the name meanwhile.
    staleTime: 0,
    gcTime: 0,
  });
  return { plan: data, error, refetch, isCurrent: settled === design && !isFetching };
}

const pauseMs = 250;

function useSettled(design: Design): Design {
  const [settled, setSettled] = useState(design);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(design), pauseMs);
    return () => clearTimeout(timer);
  }, [design]);
  return settled;
}
