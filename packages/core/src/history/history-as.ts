import type { Mask } from '../masking/mask.ts';
import { maskText } from '../masking/mask-values.ts';
import type { Caller, Connections, History, HistoryEntry } from '../types.ts';

/** The history as one caller may see it. A statement may contain values that are hidden from this caller. */
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
    const shown = (entry: HistoryEntry) => {
      const mask = maskOf(caller, entry.connectionId);
      // Compares ids, since two tokens may have the same name.
      const foreign = mask.hidesColumns && entry.tokenId !== caller.token.id;
      return masked(foreign ? withoutLiterals(entry) : entry, mask);
    };
    return search(history, { ...query, connectionIds }, shown);
  };
}

/**
 * Searches the masked text, then applies the limit. It must not search the stored text: the number of matches would
 * reveal whether a hidden value is there.
 */
function search(
  history: Pick<History, 'search'>,
  { text, limit, ...query }: Parameters<History['searchAs']>[1],
  shown: (entry: HistoryEntry) => HistoryEntry,
): HistoryEntry[] {
  const wanted = text?.toLowerCase() ?? '';
  const found: HistoryEntry[] = [];
  for (let before = query.before; ; ) {
    const page = history.search({ ...query, limit: pageSize, ...(before !== undefined && { before }) });
    for (const entry of page.map(shown)) {
      if (entry.text.toLowerCase().includes(wanted)) found.push(entry);
      if (found.length >= limit) return found;
    }
    before = page.at(-1)?.id;
    if (page.length < pageSize) return found;
  }
}

const pageSize = 200;

function masked(entry: HistoryEntry, mask: Mask): HistoryEntry {
  return { ...entry, text: mask.sentence(entry.text), error: entry.error && mask.sentence(entry.error) };
}

/** Hides all literals: a statement may compare a literal with a masked column, so the literal may be a masked value. */
function withoutLiterals(entry: HistoryEntry): HistoryEntry {
  const hide = (text: string) => text.replace(literals, maskText);
  return { ...entry, text: hide(entry.text), error: entry.error && hide(entry.error) };
}

/**
 * Texts and numbers. A number that begins with dots is matched only from its first dot: trying each dot would take
 * quadratic time on a text of many dots.
 */
const literals = /'(?:[^']|'')*'?|"(?:[^"\\]|\\[\s\S]|"")*"?|(?<![\w$.])\.+\d[\w.]*|(?<![\w$])\d[\w.]*/g;
