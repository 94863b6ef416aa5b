import { useQuery } from '@tanstack/react-query';
import type { CountRequest, SearchRequest, TableDescription } from '@trestle/driver-kit';
import { useMemo } from 'react';
import { data } from '../../data/api/api.ts';
import { queryKeys } from '../../data/queries/query-keys.ts';
import { nearestRows } from '../neighbours/read-rows.ts';
import type { NearestRow } from '../neighbours/scan.ts';
import type { MapRows } from './map-rows.ts';

/** A row to mark on the map, found by a search or as a neighbour: its rank, and its point if it is on the map. */
export interface LitRow {
  rank: number;
  /** The key as text. */
  id: string;
  point: number | undefined;
  title: string;
  distance: number | undefined;
}

/** The rows that a search of the database finds. The map itself is not searched: its distances are not exact. */
export function useLitRows(props: {
  connectionId: string;
  request: CountRequest;
  description: TableDescription;
  /** Undefined if there is no search. */
  asked: Pick<SearchRequest, 'mode' | 'text' | 'objectId' | 'targetVector'> | undefined;
  limit: number;
  /** Undefined until the map is done. */
  rows: MapRows | undefined;
  title: string | undefined;
}) {
  const { connectionId, request, description, asked, limit, rows, title } = props;
  const found = useQuery({
    queryKey: queryKeys.rows(connectionId, request.table, 'lit', request, asked, limit),
    enabled: asked !== undefined && rows !== undefined,
    queryFn: async ({ signal }) => {
      const page = await data('search', connectionId, { ...request, ...asked!, limit }, signal);
      return nearestRows(page.rows, { key: description.key, title });
    },
  });
  // The answer stays cached while the map changes, so it contains keys and no points. `litRows` finds the points on the
  // map that is shown.
  const lit = useMemo(() => found.data && litRows(found.data, rows), [found.data, rows]);
  return { data: lit, isFetching: found.isFetching, error: found.error };
}

/** Rows that were found, best first, with their points on this map. */
export function litRows(found: NearestRow[], rows: MapRows | undefined): LitRow[] {
  const points = rows?.pointsById();
  return found.map(({ id, title, distance }, at) => ({
    rank: at + 1,
    id,
    point: points?.get(id),
    title,
    distance: Number.isNaN(distance) ? undefined : distance,
  }));
}
