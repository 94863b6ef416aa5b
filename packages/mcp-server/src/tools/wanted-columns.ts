import type { Core, DataAccess } from '@trestle/core';

/**
 * The columns to request from the driver. Undefined for all columns except vectors. A driver returns a vector column
 * only if the request names this column. So if a client wants the vectors too, this function adds the vector columns to
 * the named columns, or names all columns of the table.
 */
export async function wantedColumns(
  core: Core,
  access: DataAccess,
  {
    table,
    columns,
    includeVectors,
  }: { table: string; columns: string[] | undefined; includeVectors: boolean },
): Promise<string[] | undefined> {
  if (!includeVectors) return columns;
  const described = await core.data.describe(access, table);
  const added = columns ? described.columns.filter(({ type }) => type === 'vector') : described.columns;
  return [...new Set([...(columns ?? []), ...added.map(({ name }) => name)])];
}
