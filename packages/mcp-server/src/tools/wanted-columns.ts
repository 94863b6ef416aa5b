import type { Core, DataAccess } from '@trestle/core';

/**
 * The columns to request from the driver. A driver returns vectors only by name. So a request for all columns with
 * vectors needs the table's description.
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
