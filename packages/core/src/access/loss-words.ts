import type { TableLoss } from '@trestle/driver-kit';

/** Says how many rows of each table would be changed or deleted. A number may be unknown. */
export function lossWords({ tables, cascades }: { tables: TableLoss[]; cascades: boolean }): string {
  if (tables.length === 0) return 'No rows are changed or deleted.';
  const byTable = (some: TableLoss[]) => [...Map.groupBy(some, ({ table }) => table).values()];
  const known = byTable(tables.filter(({ rows }) => rows !== null)).flatMap((all) =>
    all.length > namedPartitions ? [knownLoss(all)] : all.map((one) => knownLoss([one])),
  );
  const unknown = byTable(tables.filter(({ rows }) => rows === null)).map(
    (all) => `an unknown number of rows of ${placeOf(all)}`,
  );
  const parts = [...known, ...unknown];
  const through = cascades ? ' Some of them are affected through a foreign key.' : '';
  return `Changed or deleted: ${parts.join(', ')}.${through}`;
}

const namedPartitions = 5;

function knownLoss(all: TableLoss[]): string {
  const rows = all.reduce((sum, one) => sum + (one.rows ?? 0), 0);
  return `${rows.toLocaleString('en')} ${rows === 1 ? 'row' : 'rows'} of ${placeOf(all)}`;
}

/** The table with its partitions. An entry without a partition means the whole table. */
function placeOf(all: TableLoss[]): string {
  const table = all[0]?.table ?? '';
  const names = all.flatMap(({ partition }) => partition ?? []);
  return names.length < all.length ? table : `${table} (${firstNames(names)})`;
}

/** A collection may have thousands of tenants. */
function firstNames(names: string[]): string {
  const shown = names.slice(0, namedPartitions).join(', ');
  const others = names.length - namedPartitions;
  return others > 0 ? `${shown} and ${others.toLocaleString('en')} more` : shown;
}
