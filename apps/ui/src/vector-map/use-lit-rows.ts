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

/** A row that a search found: its place in the ranking, and its point where it is on the map. */
export interface LitRow {
  rank: number;
  /** The text of its key. */
  id: string;
  point: number | undefined;
  title: string;
  distance: number | undefined;
}

type Asked = Pick<SearchRequest, 'mode' | 'text' | 'objectId' | 'targetVector'>;

/** Asks the database itself, never the picture. */
export function useLitRows(props: {
  connectionId: string;
  request: CountRequest;
  description: TableDescription;
  asked: Asked | undefined;
  limit: number;
  rows: MapRows | undefined;
  title: string | undefined;
}) {
  const { connectionId, request, description, asked, limit, rows, title } = props;
  const key = description.key[0];
  return useQuery({
    queryKey: queryKeys.rows(connectionId, request.table, 'lit', request, asked, limit, rows?.count),
    enabled: asked !== undefined && rows !== undefined,
    queryFn: async ({ signal }): Promise<LitRow[]> => {
      const page = await data('search', connectionId, { ...request, ...asked!, limit }, signal);
      const found = page.rows;
      const at = (name: string | undefined) => found.columns.findIndex((column) => column.name === name);
      const [keyAt, titleAt] = [at(key), at(title)];
      const distanceAt = found.columns.findIndex(({ isMeasure }) => isMeasure);
      const points = rows!.pointsByKey(key ?? '');
      return Array.from({ length: found.rowCount }, (_, row) => {
        const id = keyAt < 0 ? '' : cellToText(cellAt(found, keyAt, row));
        const distance = distanceAt < 0 ? undefined : Number(cellAt(found, distanceAt, row));
        return {
          rank: row + 1,
          id,
          point: points.get(id),
          title: titleAt < 0 ? id : cellToText(cellAt(found, titleAt, row)),
          distance,
        };
      });
    },
  });
}
