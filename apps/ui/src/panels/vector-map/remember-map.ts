import { queryClient } from '../../data/queries/queries.ts';
import { isOfTable } from '../../data/queries/query-keys.ts';
import { type Fingerprint, fingerprint, keepMap } from './kept-map.ts';
import type { DoneMap, MapQuestion } from './map-question.ts';

/** A drawn map: the fingerprint of its rows, and whether the app stores it. */
export interface RememberedMap {
  print: Fingerprint;
  /** The app stores the map. */
  isKept: boolean;
  /** Rows may have changed while the map was read, laid out or stored. */
  isOutdated: boolean;
}

/**
 * Stores a drawn map in the app, unless its rows may have changed since they were read. A map that is stored
 * after a change could show old rows but have the fingerprint of the new rows.
 */
export async function rememberMap(
  question: MapQuestion,
  done: DoneMap,
  { canReadCells, isChanged }: { canReadCells: boolean; isChanged(): boolean },
): Promise<RememberedMap> {
  const print = await fingerprint(question, done.drawn, { canReadCells, signal: undefined });
  const isKept = !isChanged() && (await keepMap(question, { ...done, print }).catch(() => false));
  return { print, isKept, isOutdated: isChanged() };
}

/** Watches a table until the signal aborts. The returned function says whether the table's cached data was invalidated. */
export function watchRows(connectionId: string, table: string, signal: AbortSignal): () => boolean {
  let isChanged = false;
  // The cache emits the event only if it holds a query of this table. The row count that the map shows is such a query.
  const end = queryClient.getQueryCache().subscribe((event) => {
    const isReport = event.type === 'updated' && event.action.type === 'invalidate';
    if (isReport && isOfTable(event.query.queryKey, connectionId, table)) isChanged = true;
  });
  signal.addEventListener('abort', end, { once: true });
  return () => isChanged;
}
