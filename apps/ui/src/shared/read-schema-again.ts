import { queryClient } from './queries.ts';
import { queryKeys } from './query-keys.ts';
import { readAgain } from './read-again.ts';

/**
 * Reads tables and rows of a connection again, the list first. A table that is gone leaves the page with the list,
 * and is not asked for. A tab of it stays open, asks, and shows the error.
 */
export async function readSchemaAgain(connectionId: string): Promise<void> {
  const list = queryKeys.tables(connectionId);
  await readAgain(queryClient, { queryKey: list });
  await drawn();
  await readAgain(queryClient, {
    predicate: ({ queryKey: [area, connection, part] }) =>
      connection === connectionId && (area === 'rows' || (area === 'schema' && part !== list[2])),
  });
}

/** The library tells the page of new data in a timeout of its own, and the page is drawn with it. */
function drawn(): Promise<void> {
  return new Promise((done) => setTimeout(done));
}
