import type { Core, DataAccess } from '@trestle/core';

/**
 * The columns to ask the driver for. Vectors are deferred: a driver gives them only by name, so that asking
 * for them along with everything else takes the table's description.
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
