import { counted } from '../../controls/text/counted.ts';
import type { CopyReport, KnownCopy } from './copy-queries.ts';

const so = (count: number) => count.toLocaleString('en');

/** Whether every row of every partition was copied, and no compared row differs. */
export function isWhole(report: CopyReport): boolean {
  const { ended, failed, unknown, different, unavailable, inTarget, total } = report;
  const isEqual = failed + unknown === 0 && different.length === 0 && inTarget >= total;
  return ended === 'complete' && isEqual && unavailable.length === 0;
}

export function copyTitle({ state, report }: Pick<KnownCopy, 'state' | 'report'>): string {
  if (state === 'running') return 'Copying';
  if (!report) return 'The copy was interrupted';
  if (report.ended === 'cancelled') return 'The copy was cancelled';
  if (report.ended === 'stopped') return 'The copy stopped';
  if (report.failed > 0) return 'Some rows were not copied';
  if (report.unknown > 0) return 'Some rows may not have been copied';
  if (report.unavailable.length > 0) return 'Some tenants were not copied';
  return isWhole(report) ? 'The copy is done' : 'The copy differs from its source';
}

export function countWords({ copied, existing, failed, unknown, total }: KnownCopy['counts']): string {
  const parts = [
    `${so(copied)} of ${counted(total, 'row')} copied`,
    ...(existing > 0 ? [counted(existing, 'was there already', 'were there already')] : []),
    ...(failed > 0 ? [`${so(failed)} failed`] : []),
    ...(unknown > 0 ? [`${so(unknown)} sent without an answer`] : []),
  ];
  return parts.join(', ');
}

/** The result of the check at the end of a copy: a count of its rows, and a comparison of some of them. */
export function checkWords({ inTarget, compared, different }: CopyReport): string {
  const differ = different.length === 0 ? 'none differs' : counted(different.length, 'differs', 'differ');
  return `Checked: ${counted(inTarget, 'row')} in the copy; ${so(compared)} compared, ${differ}.`;
}

/** The rows with problems. Empty after a cancel without a failed row: **Continue** sends the unanswered rows again. */
export function problemLines({ ended, failed, problems, different }: CopyReport): string[] {
  if (ended === 'cancelled' && failed === 0) return [];
  return [
    ...problems,
    ...different.map((key) => `${key}: differs from its source, or is missing in the copy`),
  ];
}

/** The table's name. If its connection is not `here` and is in `connections`, the connection's name follows. */
export function tableName(
  { connectionId, table }: KnownCopy['from'],
  here: string,
  connections: { id: string; name: string }[],
): string {
  const other = connections.find(({ id }) => id === connectionId && id !== here);
  return other ? `${table} in “${other.name}”` : table;
}

/** An unused name in the style of the original: `MissionCopy` or `moons_copy`. */
export function freeName(table: string, taken: string[]): string {
  const joined = /^[A-Z]/.test(table) ? `${table}Copy` : `${table}_copy`;
  for (let number = 1; ; number++) {
    const name = number === 1 ? joined : `${joined}${number}`;
    if (!taken.some((other) => other.toLowerCase() === name.toLowerCase())) return name;
  }
}
