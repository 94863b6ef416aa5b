import { counted } from '../../controls/text/counted.ts';
import type { ActivityCheck, ActivityEntry, ActivityFilter } from '../../data/api/api-types.ts';

export const outcomeWords: Record<ActivityEntry['outcome'], string> = {
  ok: 'done',
  error: 'failed',
  denied: 'denied',
  cancelled: 'cancelled',
};

/** "1.2 s · 200 rows". An unknown part is left out. */
export function sizeOf({ durationMs, rows }: Pick<ActivityEntry, 'durationMs' | 'rows'>): string {
  return [
    durationMs === null ? '' : durationMs < 1000 ? `${Math.round(durationMs)} ms` : seconds(durationMs),
    rows === null ? '' : counted(rows, 'row'),
  ]
    .filter(Boolean)
    .join(' · ');
}

function seconds(durationMs: number): string {
  return `${(durationMs / 1000).toFixed(1)} s`;
}

export function checkWords({ ok, checked, problem, begun }: ActivityCheck): string {
  const rows = counted(checked, 'row');
  if (!ok) return `${problem ?? 'The log was changed after it was written'} (${rows} passed the check).`;
  return checked === 0
    ? 'The log is empty, and was not emptied by hand.'
    : `${rows} checked: none was changed, removed or moved.${begun === undefined ? '' : ` ${begun}`}`;
}

/** The parts of the filter that are neither undefined nor empty. */
export function setParts(filter: ActivityFilter): ActivityFilter {
  return Object.fromEntries(
    Object.entries(filter).filter(([, value]) => value !== undefined && value !== ''),
  );
}

export function isFiltered(filter: ActivityFilter): boolean {
  return Object.keys(setParts(filter)).length > 0;
}

/** The connection of an entry. Null if it has none, or while the list of connections is not loaded. */
export function connectionWords(
  id: string | null,
  connections: { id: string; name: string }[] | undefined,
): string | null {
  if (id === null || !connections) return null;
  return connections.find((one) => one.id === id)?.name ?? 'a deleted connection';
}
