import { type Guarded, type GuardedUse, guardTable, type RowSet } from '@trestle/driver-kit';
import { gridColumns } from './columns.ts';
import { GuardedColumns } from './guarded-columns.ts';
import type { Collection } from './schema.ts';

/**
 * Refuses a request that uses a guarded column other than as a plain result, for example to filter, sort or group rows.
 * Returns the function that marks guarded columns in the rows.
 */
export function pageGuard(
  request: GuardedUse & { guarded?: Guarded },
  collection: Collection,
): (rows: RowSet) => RowSet {
  const { guarded = [] } = request;
  if (guarded.length === 0) return (rows) => rows;
  const columns = new GuardedColumns(guarded, [collection]);
  const grid = gridColumns(collection);
  const mark = guardTable(collection.name, request, (name) => {
    const found = grid.find((one) => one.name === name);
    if (!found) return undefined;
    const column = found.source.kind === 'property' ? found.source.property.name : name;
    return { origin: { table: collection.name, column }, masked: columns.isColumn(collection, found) };
  });
  return (rows) => ({ ...rows, columns: rows.columns.map(mark) });
}
