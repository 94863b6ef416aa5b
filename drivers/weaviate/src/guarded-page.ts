import {
  type Filter,
  type Guarded,
  maskedUse,
  type RowKey,
  type RowSet,
  type Sort,
} from '@trestle/driver-kit';
import { gridColumns } from './columns.ts';
import { GuardedColumns, guardedHead } from './guarded-columns.ts';
import type { Collection } from './schema.ts';

interface PageRequest {
  guarded?: Guarded;
  filters?: Filter[];
  sort?: Sort[];
  keys?: RowKey[];
  keywordColumns?: { column: string }[];
  groupBy?: { column: string };
  rerank?: { column: string };
}

/** Refuses to choose or order rows by a guarded column; gives what marks such columns in the rows. */
export function pageGuard(
  { guarded = [], filters = [], sort = [], keys = [], ...search }: PageRequest,
  collection: Collection,
): (rows: RowSet) => RowSet {
  if (guarded.length === 0) return (rows) => rows;
  const columns = new GuardedColumns(guarded, [collection]);
  const grid = gridColumns(collection);
  const used = [
    ...filters.map((one) => one.column),
    ...sort.map((one) => one.column),
    ...keys.flatMap(Object.keys),
    ...[...(search.keywordColumns ?? []), search.groupBy, search.rerank].flatMap((one) => one?.column ?? []),
  ];
  const hidden = grid.find((one) => used.includes(one.name) && columns.isColumn(collection, one));
  if (hidden) throw maskedUse(`${collection.name}.${hidden.name} cannot be used to filter, sort or find`);
  return (rows) => ({
    ...rows,
    columns: rows.columns.map((head) => {
      const column = grid.find(({ name }) => name === head.name);
      return column ? guardedHead(columns, collection, column) : head;
    }),
  });
}
