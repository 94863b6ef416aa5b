import { useQuery } from '@tanstack/react-query';
import { type CountRequest, cellToText, type RowKey, type TableDescription } from '@trestle/driver-kit';
import { data } from '../shared/api.ts';
import { queryKeys } from '../shared/query-keys.ts';
import { MapRows } from './map-rows.ts';
import { type LitRow, searchRows } from './use-lit-rows.ts';

const wanted = 8;

/** The true neighbours of a row: from the database's index or, without one, by comparing all rows. */
export function useNeighbours(props: {
  connectionId: string;
  request: CountRequest;
  description: TableDescription;
  vector: string;
  /** The vector's name in a search, if there are several. */
  targetVector: string | undefined;
  canSearch: boolean;
  row: RowKey | undefined;
  rows: MapRows | undefined;
  title: string | undefined;
}) {
  const { connectionId, description, vector, targetVector, row, rows, title } = props;
  const request = { ...props.request, filters: [] };
  const mode = description.searches?.modes.find((one) => one.mode === 'near_object');
  const byIndex = props.canSearch && mode !== undefined && mode.refusal === undefined;
  return useQuery({
    queryKey: queryKeys.rows(connectionId, request.table, 'neighbours', request, vector, row, rows?.count),
    enabled: row !== undefined && rows !== undefined,
    queryFn: async ({ signal }): Promise<LitRow[]> => {
      const own = MapRows.idOf(row!);
      if (byIndex) {
        const asked = { mode: 'near_object' as const, objectId: own, ...(targetVector && { targetVector }) };
        const found = await searchRows({ ...props, request, rows: rows!, asked, limit: wanted + 1 }, signal);
        // By its key: its distance from itself is rarely exactly 0.
        return ranked(found.filter(({ id }) => id !== own).slice(0, wanted));
      }
      const distance = description.columns.find(({ name }) => name === vector)?.vector?.distance ?? 'cosine';
      const named = title === undefined ? {} : { title };
      const asked = { ...request, key: row!, vector, distance, limit: wanted, ...named };
      const nearest = await data('nearest', connectionId, asked, signal);
      const points = rows!.pointsById();
      return ranked(
        nearest.map((found) => {
          const id = MapRows.idOf(found.key);
          return {
            rank: 0,
            id,
            point: points.get(id),
            title: found.title === null ? id : cellToText(found.title),
            distance: found.distance,
          };
        }),
      );
    },
  });
}

function ranked(rows: LitRow[]): LitRow[] {
  return rows.map((row, index) => ({ ...row, rank: index + 1 }));
}
