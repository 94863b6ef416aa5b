import { useQuery } from '@tanstack/react-query';
import type { Cell, RowKey, TableDescription } from '@trestle/driver-kit';
import { data } from '../../data/api/api.ts';
import { queryKeys } from '../../data/queries/query-keys.ts';
import { keyText } from '../../data/rows/key-text.ts';
import { titleColumn, titleText } from '../../data/rows/row-title.ts';
import { nearestRows } from './read-rows.ts';
import type { NearestRow } from './scan.ts';
import type { VectorChoice } from './vector-choice.ts';

interface SimilarQuestion {
  connectionId: string;
  description: TableDescription;
  partition: string | undefined;
  key: RowKey;
  vector: VectorChoice;
  /** True: the database finds the similar rows. False: the app compares the row with every other row. */
  byIndex: boolean;
}

export const similarRows = 8;

/** The rows nearest to one row, in the whole table or partition. */
export function useSimilarRows(question: SimilarQuestion | undefined) {
  return useQuery({
    queryKey: queryKeys.rows(
      question?.connectionId ?? '',
      question?.description.name ?? '',
      'similar',
      question?.partition,
      question?.key,
      question?.vector.column,
    ),
    enabled: question !== undefined,
    retry: false,
    queryFn: ({ signal }) => readSimilar(question!, signal),
  });
}

async function readSimilar(question: SimilarQuestion, signal: AbortSignal): Promise<NearestRow[]> {
  const { connectionId, description, partition, key, vector } = question;
  const title = titleColumn(description.columns, description.key)?.name;
  const within = {
    table: description.name,
    ...(partition !== undefined && { partition }),
    filters: [],
    match: 'all' as const,
  };
  if (!question.byIndex) {
    const by = { vector: vector.column, distance: vector.distance };
    const asked = { ...within, key, ...by, limit: similarRows, ...(title && { title }) };
    const found = await data('nearest', connectionId, asked, signal);
    return found.map(titledRow);
  }
  const own = keyText(key);
  const page = await data(
    'search',
    connectionId,
    {
      ...within,
      mode: 'near_object',
      objectId: own,
      ...(vector.target !== undefined && { targetVector: vector.target }),
      columns: [...description.key, ...(title === undefined ? [] : [title])],
      limit: similarRows + 1,
    },
    signal,
  );
  const rows = nearestRows(page.rows, { key: description.key, title });
  return rows.filter(({ id }) => id !== own).slice(0, similarRows);
}

/** A row whose title has no text is named by its key. */
export function titledRow(found: { key: RowKey; title: Cell; distance: number }): NearestRow {
  const { key, title, distance } = found;
  const id = keyText(key);
  return { id, key, title: titleText(title) ?? id, distance };
}
