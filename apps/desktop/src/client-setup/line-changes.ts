/** An unchanged, added or removed line. */
interface ChangedLine {
  kind: 'same' | 'added' | 'removed';
  text: string;
}

/** The number of context lines around the change. The rest is hidden, as it may contain secrets of other MCP servers. */
const around = 2;

/** The lines from the first to the last difference between two texts, with context. */
export function lineChanges(before: string, after: string): ChangedLine[] {
  const old = linesOf(before);
  const fresh = linesOf(after);
  let start = 0;
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start++;
  let end = 0;
  while (end < old.length - start && end < fresh.length - start && old.at(-1 - end) === fresh.at(-1 - end)) {
    end++;
  }
  if (start === old.length && start === fresh.length) return [];
  const as = (kind: ChangedLine['kind'], lines: string[]) => lines.map((text) => ({ kind, text }));
  return [
    ...as('same', fresh.slice(Math.max(0, start - around), start)),
    ...as('removed', old.slice(start, old.length - end)),
    ...as('added', fresh.slice(start, fresh.length - end)),
    ...as('same', fresh.slice(fresh.length - end).slice(0, around)),
  ];
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/);
}
