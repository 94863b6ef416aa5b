import type { CountRequest, RowKey, TableDescription } from '@trestle/driver-kit';
import { useMemo } from 'react';
import { useSimilarRows } from '../neighbours/similar-rows.ts';
import { hasIndex, vectorChoices } from '../neighbours/vector-choice.ts';
import type { MapRows } from './map-rows.ts';
import { litRows } from './use-lit-rows.ts';

/**
 * The rows with the vectors nearest to a row's vector, for the lines of the map and the row card. On the map, other
 * points may be nearer. For the same vector, the inspector uses the same answer: the database is asked once.
 */
export function useNeighbours(props: {
  connectionId: string;
  request: CountRequest;
  description: TableDescription;
  vector: string;
  canSearch: boolean;
  row: RowKey | undefined;
  rows: MapRows | undefined;
}) {
  const { connectionId, request, description, row, rows } = props;
  const vector = vectorChoices(description).find(({ column }) => column === props.vector);
  const { data, isFetching, error } = useSimilarRows(
    row && rows && vector
      ? {
          connectionId,
          description,
          partition: request.partition,
          key: row,
          vector,
          byIndex: hasIndex(description, props.canSearch),
        }
      : undefined,
  );
  const neighbours = useMemo(() => data && litRows(data, rows), [data, rows]);
  return { data: neighbours, isFetching, error };
}
