import { useQuery } from '@tanstack/react-query';
import { type Cell, type Filter, type RowKey, rowAt, type TableDescription } from '@trestle/driver-kit';
import { data } from '../shared/api.ts';
import { queryKeys } from '../shared/query-keys.ts';

export interface RowPlace {
  connectionId: string;
  description: TableDescription;
  partition: string | undefined;
}

/** The current values of a row; null if it was deleted. */
export function useRowValues({ connectionId, description, partition }: RowPlace, key: RowKey | undefined) {
  const filters = key && keyFilters(key);
  const request = {
    table: description.name,
    ...(partition !== undefined && { partition }),
    filters: filters ?? [],
    match: 'all' as const,
    sort: [],
    limit: 1,
    offset: 0,
  };
  return useQuery({
    queryKey: queryKeys.rows(connectionId, description.name, 'row', request),
    enabled: filters !== undefined,
    structuralSharing: false,
    queryFn: async ({ signal }): Promise<Record<string, Cell> | null> => {
      const { rows } = await data('browse', connectionId, request, signal);
      return rows.rowCount === 0 ? null : rowAt(rows, 0);
    },
  });
}

function keyFilters(key: RowKey): Filter[] {
  return Object.entries(key).flatMap(([column, cell]) =>
    typeof cell === 'string' || typeof cell === 'number' || typeof cell === 'bigint'
      ? [{ column, operator: 'equals' as const, value: typeof cell === 'bigint' ? String(cell) : cell }]
      : [],
  );
}
