import {
  holdsPattern,
  isGuarded,
  type MaskedKinds,
  maskOutdated,
  mayHoldKinds,
  mostKindBytes,
  mostKindRows,
  type RunRequest,
  weigh,
} from '@trestle/driver-kit';
import type { Handle } from './handle.ts';
import { iterateRows } from './query.ts';
import { listTables, requireTable } from './schema.ts';
import { identifier, join, sql } from './sql.ts';
import { asciiLower } from './table.ts';
import { fromStored } from './values.ts';

/** What the caller of a request may not see. */
export type Masked = Pick<RunRequest, 'guarded' | 'maskedKinds'>;

export function masks({ guarded = [], maskedKinds }: Masked): boolean {
  return guarded.length > 0 || maskedKinds !== undefined;
}

interface Check extends Masked {
  /** The mark of the data that the transaction sees. */
  mark: string | null;
}

/**
 * Makes sure, inside the transaction of a change, that no column outside `guarded` holds a masked kind of value. A table
 * whose mark is still the same is not read again. `tables`: the tables that the change reads. Undefined means all.
 */
export function assertKindsGuarded(handle: Handle, tables: string[] | undefined, check: Check): void {
  const { maskedKinds, mark } = check;
  if (!maskedKinds) return;
  const unchanged = maskedKinds.marks
    .filter((one) => one.mark === mark)
    .map(({ table }) => asciiLower(table));
  for (const table of tables ?? listTables(handle).map(({ name }) => name)) {
    if (!unchanged.includes(asciiLower(table)) && !isClean(handle, table, { ...check, maskedKinds }))
      throw maskOutdated(table);
  }
}

/** False if a column holds such a value, or the rows could not all be read. */
function isClean(
  handle: Handle,
  name: string,
  { guarded, maskedKinds: { open, patterns } }: Check & { maskedKinds: MaskedKinds },
): boolean {
  const { description: table } = requireTable(handle, name);
  const columns = table.columns.filter(
    ({ name: column, type, hidden }) =>
      !hidden &&
      mayHoldKinds(type) &&
      !isGuarded(guarded, table.name, column) &&
      !isGuarded(open, table.name, column),
  );
  if (columns.length === 0) return true;
  const names = join(
    columns.map((column) => identifier(column.name)),
    ', ',
  );
  let rows = 0;
  let bytes = 0;
  try {
    for (const row of iterateRows(handle, sql`SELECT ${names} FROM ${identifier(table.name)}`)) {
      bytes += weigh(row);
      if (++rows > mostKindRows || bytes > mostKindBytes) return false;
      if (row.some((value) => holdsPattern(fromStored(value), patterns))) return false;
    }
    return true;
  } catch {
    // For example a view that cannot be computed.
    return false;
  }
}
