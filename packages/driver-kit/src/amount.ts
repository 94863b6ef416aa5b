/** A number with its noun: `1 row`, `1204 rows`. No thousands separators: logs and AI clients read the text too. */
export function amount(count: number, one: string): string {
  return `${count} ${count === 1 ? one : `${one}s`}`;
}

/** A size of a file or download: `365 kB`, `2.3 MB`. */
export function sizeText(bytes: number): string {
  return bytes <= 999_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
