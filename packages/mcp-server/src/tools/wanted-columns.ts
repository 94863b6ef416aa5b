import type { Core, DataAccess } from '@trestle/core';

/**
 * The columns to request from the driver. Undefined for all columns except vectors. A driver returns a vector column
 * only if the request names this column. So if a client wants all columns and also the vectors, this function names
 * them all, from the table's description.
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
  if (columns || !includeVectors) return columns;
  const described = await core.data.describe(access, table);
  return described.columns.map((column) => column.name);
}
