/** A number with its noun: `1 row`, `1204 rows`. No thousands separators: logs and AI clients read the text too. */
export function amount(count: number, one: string): string {
  return `${count} ${count === 1 ? one : `${one}s`}`;
}
