import type { Mask } from '../masking/mask.ts';
import { maskText } from '../masking/mask-values.ts';
import type { Caller, Connections, History, HistoryEntry } from '../types.ts';

/** History as a caller may see it. Statements hold values too, of whoever ran them. */
export function createHistoryAs(parts: {
  history: Pick<History, 'search'>;
  connections: Pick<Connections, 'visibleTo'>;
  maskOf(caller: Caller, connectionId: string): Mask;
}): History['searchAs'] {
  const { history, connections, maskOf } = parts;
  return (caller, query) => {
    if (caller.kind === 'person') return history.search(query);
    const visible = connections.visibleTo(caller).map(({ id }) => id);
    const asked = query.connectionIds;
    const connectionIds = asked ? visible.filter((id) => asked.includes(id)) : visible;
    const found = history.search({ ...query, connectionIds });
    return found.flatMap((entry) => {
      const mask = maskOf(caller, entry.connectionId);
      const foreign = mask.hidesColumns && entry.caller !== caller.token.name;
      return masked(foreign ? withoutLiterals(entry) : entry, mask, query.text);
    });
  };
}

/** An entry found only by what is masked in it would tell that it is there. */
function masked(entry: HistoryEntry, mask: Mask, text: string | undefined): HistoryEntry[] {
  const shown = {
    ...entry,
    text: mask.sentence(entry.text),
    error: entry.error && mask.sentence(entry.error),
  };
  return text && !shown.text.toLowerCase().includes(text.toLowerCase()) ? [] : [shown];
}

/** What somebody else compared a masked column with is a value of it. */
function withoutLiterals(entry: HistoryEntry): HistoryEntry {
  const hide = (text: string) => text.replace(literals, maskText);
  return { ...entry, text: hide(entry.text), error: entry.error && hide(entry.error) };
}

const literals = /'(?:[^']|'')*'?|"(?:[^"\\]|\\.|"")*"?|(?<![\w$])[\d.]*\d[\w.]*/g;
