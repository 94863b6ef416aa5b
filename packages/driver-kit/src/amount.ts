/** A number with its noun: `1 row`, `1204 rows`. For terminals, logs and AI clients, which read plain digits. */
export function amount(count: number, one: string): string {
  return `${count} ${count === 1 ? one : `${one}s`}`;
}
