import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../data/api/api.ts';
import { showError } from '../data/messages/toast.tsx';
import { queryKeys } from '../data/queries/query-keys.ts';

/** `activate` activates a partition. Meanwhile, `activating` is its name. */
export function useActivation(connectionId: string, table: string) {
  const client = useQueryClient();
  const [activating, setActivating] = useState<string | null>(null);
  const activate = async (partition: string, then?: () => void) => {
    setActivating(partition);
    try {
      await api.tables.activatePartition.mutate({ connectionId, table, partition });
      await client.invalidateQueries({ queryKey: queryKeys.rows(connectionId, table) });
      then?.();
    } catch (error) {
      showError(`${partition} was not activated`, error);
    } finally {
      setActivating(null);
    }
  };
  return { activating, activate };
}
