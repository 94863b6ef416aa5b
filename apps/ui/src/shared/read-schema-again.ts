import { queryClient } from './queries.ts';
import { queryKeys } from './query-keys.ts';
import { readAgain } from './read-again.ts';

/**
 * Reads tables and rows of a connection again, the list of tables first. The connection's home counts the rows of each
 * listed table, so it then no longer asks for a deleted one. A tab of a deleted table stays open, reads its rows, and
 * shows the error.
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

/** The library reports new data to the page in a timeout. Only then is the page drawn with it. */
function drawn(): Promise<void> {
  return new Promise((done) => setTimeout(done));
}
