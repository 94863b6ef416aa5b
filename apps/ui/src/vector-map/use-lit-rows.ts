import { useQuery } from '@tanstack/react-query';
import {
  type CountRequest,
  cellAt,
  cellToText,
  type SearchRequest,
  type TableDescription,
} from '@trestle/driver-kit';
import { data } from '../shared/api.ts';
import { queryKeys } from '../shared/query-keys.ts';
import type { MapRows } from './map-rows.ts';

/** A row that a search found: its rank, and its point if it is on the map. */
export interface LitRow {
  rank: number;
  /** The key as text. */
  id: string;
  point: number | undefined;
  title: string;
  distance: number | undefined;
}

interface Search {
  connectionId: string;
  request: CountRequest;
  description: TableDescription;
  asked: Pick<SearchRequest, 'mode' | 'text' | 'objectId' | 'targetVector'>;
  limit: number;
  rows: MapRows;
  title: string | undefined;
}

/** Searches in the database itself, never in the picture. */
export function useLitRows(
  props: Omit<Search, 'asked' | 'rows'> & { asked: Search['asked'] | undefined; rows: MapRows | undefined },
) {
  const { connectionId, request, asked, limit, rows } = props;
  return useQuery({
    queryKey: queryKeys.rows(connectionId, request.table, 'lit', request, asked, limit, rows?.count),
    enabled: asked !== undefined && rows !== undefined,
    queryFn: ({ signal }) => searchRows({ ...props, asked: asked!, rows: rows! }, signal),
  });
}

export async function searchRows(search: Search, signal: AbortSignal): Promise<LitRow[]> {
  const { connectionId, request, asked, limit, rows, title, description } = search;
  const { rows: found } = await data('search', connectionId, { ...request, ...asked, limit }, signal);
  const at = (name: string | undefined) => found.columns.findIndex((column) => column.name === name);
  const [keyAt, titleAt] = [at(description.key[0]), at(title)];
  const distanceAt = found.columns.findIndex(({ isMeasure }) => isMeasure);
  const points = rows.pointsById();
  return Array.from({ length: found.rowCount }, (_, row) => {
    const id = keyAt < 0 ? '' : cellToText(cellAt(found, keyAt, row));
    return {
      rank: row + 1,
      id,
      point: points.get(id),
      title: titleAt < 0 ? id : cellToText(cellAt(found, titleAt, row)),
      distance: distanceAt < 0 ? undefined : Number(cellAt(found, distanceAt, row)),
    };
  });
}
