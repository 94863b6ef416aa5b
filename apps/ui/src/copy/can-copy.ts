import type { Capability, TableSummary } from '@trestle/driver-kit';

/** A driver can copy a table that it can read completely and create again. A view has no rows of its own. */
export function canCopy(
  can: (capability: Capability) => boolean,
  { kind }: Pick<TableSummary, 'kind'>,
): boolean {
  return can('exportRows') && can('createTable') && kind !== 'view';
}
