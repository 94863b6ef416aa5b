import type { Capability, TableSummary } from '@trestle/driver-kit';

/** A driver copies what it can read whole and make anew. A view has no rows of its own. */
export function canCopy(
  can: (capability: Capability) => boolean,
  { kind }: Pick<TableSummary, 'kind'>,
): boolean {
  return can('exportRows') && can('createTable') && kind !== 'view';
}
