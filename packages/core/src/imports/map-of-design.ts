import type { Design, TableDescription } from '@trestle/driver-kit';
import { suggestMap } from './plan-import.ts';

/** Maps the columns of a file to the columns of the table that was made for it. */
export function mapOfDesign(
  names: string[],
  { parts }: Pick<Design, 'parts'>,
  table: TableDescription,
): Record<string, string | null> {
  const map = suggestMap(names, table);
  for (const { from, fields } of Object.values(parts).flat()) {
    if (from === undefined || !names.includes(from)) continue;
    const name = String(fields.name ?? '');
    const column =
      table.columns.find((one) => one.name === name) ??
      // A driver may name the column of a vector differently: `vector: title`.
      table.columns.find((one) => one.type === 'vector' && one.name.endsWith(name));
    if (!column) continue;
    for (const other of Object.keys(map)) if (map[other] === column.name) map[other] = null;
    map[from] = column.name;
  }
  return map;
}
