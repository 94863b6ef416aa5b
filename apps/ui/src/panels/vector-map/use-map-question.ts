import { useQuery } from '@tanstack/react-query';
import type { CountRequest, TableDescription } from '@trestle/driver-kit';
import { useMemo, useState } from 'react';
import { api } from '../../data/api/api.ts';
import { queryKeys } from '../../data/queries/query-keys.ts';
import { colourColumns, vectorColumns, vectorOf } from './map-columns.ts';
import type { MapQuestion } from './map-question.ts';

const usualLimit = 50_000;
const largestLimit = 100_000;

/** The map that the tab asks for, the number of matching rows, and the options for vector, colours and row limit. */
export function useMapQuestion(at: {
  connectionId: string;
  description: TableDescription;
  request: CountRequest;
  canSample: boolean;
}) {
  const { connectionId, description, request } = at;
  const vectors = vectorColumns(description);
  const [chosen, setVector] = useState('');
  const vector = vectorOf(vectors, chosen);
  const [limit, setLimit] = useState(usualLimit);
  const columns = useMemo(() => colourColumns(description), [description]);
  const total = useQuery({
    queryKey: queryKeys.rows(connectionId, request.table, 'count', request),
    queryFn: ({ signal }) => api.tables.count.query({ connectionId, request }, { signal }),
  });
  const question: MapQuestion = {
    connectionId,
    request,
    vector: vector?.name ?? '',
    metric: vector?.vector?.distance ?? 'cosine',
    key: description.key,
    columns: columns.map(({ name }) => name),
    limit,
    sample: at.canSample && total.data !== undefined && total.data > limit,
  };
  return {
    question,
    columns,
    total,
    vectors: vectors.map(({ name }) => name),
    setVector,
    /** Undefined at the largest limit. */
    readMore: limit < largestLimit ? () => setLimit(largestLimit) : undefined,
  };
}
