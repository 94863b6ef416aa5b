import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { SearchRequest, TableDescription } from '@trestle/driver-kit';
import { useEffect, useState } from 'react';
import { data } from '../../data/api/api.ts';
import { queryKeys } from '../../data/queries/query-keys.ts';
import { type LabRows, labRows } from './column-rows.ts';
import type { ColumnRequest } from './comparison.ts';

export interface ColumnResults extends LabRows {
  /**
   * The number of rows before the cut. The cut is where autocut or the largest distance ends the results. If no rows
   * beyond a cut were read, `kept` is the number of all rows.
   */
  kept: number;
}

/** A short wait, so that a moving slider does not start a search at every step. */
const restMs = 120;

/** The results of one column. A newer request aborts the request before it. */
export function useLabColumn(connectionId: string, asked: ColumnRequest, description: TableDescription) {
  const { request, isResting } = useRested(asked.ok ? asked.request : null);
  const query = useQuery({
    queryKey: queryKeys.rows(connectionId, description.name, 'lab', request),
    enabled: request !== null,
    placeholderData: keepPreviousData,
    structuralSharing: false,
    gcTime: 60_000,
    retry: false,
    queryFn: ({ signal }) => searchColumn(connectionId, request!, description, signal),
  });
  const isAnswered = asked.ok && !query.error;
  return {
    results: isAnswered ? query.data : undefined,
    problem: asked.ok ? null : asked.problem,
    error: asked.ok ? query.error : null,
    isFetching: query.isFetching || !isResting,
    retry: () => query.refetch(),
  };
}

export type LabColumnState = ReturnType<typeof useLabColumn>;

export async function searchColumn(
  connectionId: string,
  request: SearchRequest,
  description: TableDescription,
  signal: AbortSignal,
): Promise<ColumnResults> {
  const { plain, isCut } = withoutCut(request);
  const columns = description.columns
    .filter(({ deferred, type }) => !deferred && type !== 'bytes')
    .map(({ name }) => name);
  const isExplained = request.mode === 'keyword' || request.mode === 'hybrid';
  // Rows beyond the cut are shown too. So if `isCut`, the search runs twice: without the cut and with it.
  const [page, cut] = await Promise.all([
    data('search', connectionId, { ...plain, columns, ...(isExplained && { explain: true }) }, signal),
    isCut ? data('search', connectionId, { ...request, columns: description.key }, signal) : null,
  ]);
  const rows = labRows(page, description);
  return { ...rows, kept: cut ? Math.min(cut.rows.rowCount, rows.rows.length) : rows.rows.length };
}

/** Removes the cut of a search if possible. `isCut`: whether a cut was removed. */
export function withoutCut(request: SearchRequest): { plain: SearchRequest; isCut: boolean } {
  const { autocut, maxDistance, ...rest } = request;
  // The rows beyond the cut are the last rows only if the rows are in order of their distance or score. Groups and a
  // reranker change the order, so a search with groups or a reranker keeps its cut.
  if (request.groupBy || request.rerank) return { plain: request, isCut: false };
  // In a hybrid search the largest distance also changes the ranks. So it does not count as a cut.
  const isKept = maxDistance !== undefined && request.mode === 'hybrid';
  const isCut = autocut !== undefined || (maxDistance !== undefined && !isKept);
  return { plain: { ...rest, ...(isKept && { maxDistance }) }, isCut };
}

/** The request once it has stopped changing. Until then, the previous request. */
function useRested(request: SearchRequest | null) {
  const text = JSON.stringify(request);
  const [rested, setRested] = useState({ text, request });
  useEffect(() => {
    if (text === rested.text) return;
    const timer = setTimeout(() => setRested({ text, request: JSON.parse(text) }), restMs);
    return () => clearTimeout(timer);
  }, [text, rested]);
  return { request: rested.request, isResting: text === rested.text };
}
