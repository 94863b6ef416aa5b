import { useQuery } from '@tanstack/react-query';
import { type Cell, type RowKey, rowAt, type TableDescription } from '@trestle/driver-kit';
import { data } from '../../data/api/api.ts';
import { queryKeys } from '../../data/queries/query-keys.ts';

export interface RowPlace {
  connectionId: string;
  description: TableDescription;
  partition: string | undefined;
}

/**
 * The current values of a row; null if the row no longer exists. Reads the row by its key and not with a filter: a
 * filter cannot select every key exactly. If the values of another row were shown, the user might delete the wrong row.
 */
export function useRowValues({ connectionId, description, partition }: RowPlace, key: RowKey) {
  const request = {
    table: description.name,
    ...(partition !== undefined && { partition }),
    keys: [key],
    columns: description.columns
      .filter(({ hidden, deferred }) => !hidden && !deferred)
      .map(({ name }) => name),
  };
  return useQuery({
    queryKey: queryKeys.rows(connectionId, description.name, 'row', request),
    structuralSharing: false,
    queryFn: async ({ signal }): Promise<Record<string, Cell> | null> => {
      const rows = await data('readCells', connectionId, request, signal);
      return rows.rowCount === 0 ? null : rowAt(rows, 0);
    },
  });
}
