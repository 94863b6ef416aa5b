import type { Capability, TableSummary } from '@trestle/driver-kit';

/** A table can be copied if its driver can read all rows and create tables. A view cannot: it has no rows of its own. */
export function canCopy(
  can: (capability: Capability) => boolean,
  { kind }: Pick<TableSummary, 'kind'>,
): boolean {
  return can('exportRows') && can('createTable') && kind !== 'view';
}
