/**
 * A file name for a download, from names such as a table's. Keeps letters with their marks, digits and `_.-`.
 * Replaces each run of other characters with one `_`.
 */
export function fileName(parts: string[], ending: string): string {
  // Cut at whole characters: half a surrogate pair has no encoding, and the download would fail.
  const letters = Array.from(parts.join('-').replace(/[^\p{L}\p{M}\p{N}_.-]+/gu, '_')).slice(0, 80);
  return `${letters.join('')}.${ending}`;
}
