import { counted } from '../../controls/text/counted.ts';
import type { JobOf } from '../../data/jobs/use-jobs.ts';

export type CopyReport = NonNullable<JobOf<'copy'>['detail']['report']>;

const so = (count: number) => count.toLocaleString('en');

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
  { connectionId, table }: JobOf<'copy'>['detail']['from'],
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
