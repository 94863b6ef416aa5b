import { queryClient } from './queries.ts';
import { queryKeys } from './query-keys.ts';
import { readAgain } from './read-again.ts';

/**
 * Reads tables and rows of a connection again, the list of tables first. The connection's home counts the rows of each
 * listed table. With the new list, the home does not count the rows of a deleted table. A tab of a deleted table stays
 * open, reads its rows, and shows the error.
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

/** Waits until the page has the new data. TanStack Query passes it on in a `setTimeout` callback. */
function drawn(): Promise<void> {
  return new Promise((done) => setTimeout(done));
}
