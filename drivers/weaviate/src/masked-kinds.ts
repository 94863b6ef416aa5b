import { isGuarded, type MaskedKinds, maskOutdated, mayHoldKinds } from '@trestle/driver-kit';
import { gridColumns } from './columns.ts';
import { GuardedColumns } from './guarded-columns.ts';
import { choosesBy } from './guarded-rest.ts';
import type { RestLine } from './rest-line.ts';
import type { Collection } from './schema.ts';

/**
 * Makes sure that a request which chooses objects by a filter is judged by the values that the collections have now.
 * Weaviate has no transaction, so this check comes right before the request. A collection without a mark is not checked.
 */
export async function assertKindsGuarded(
  line: RestLine,
  { marks, open }: MaskedKinds,
  {
    collections,
    changeMark,
  }: { collections: Collection[]; changeMark: (table: string) => Promise<string | null> },
): Promise<void> {
  const possible = collections.flatMap((collection) =>
    gridColumns(collection)
      .filter(({ name, type }) => mayHoldKinds(type) && !isGuarded(open, collection.name, name))
      .map(({ name }) => ({ table: collection.name, column: name })),
  );
  if (!choosesBy(line, new GuardedColumns(possible, collections))) return;
  for (const { table, mark } of marks) {
    if ((await changeMark(table)) !== mark) throw maskOutdated(table);
  }
}
