import { maskText } from '@trestle/driver-kit';
import type { Mask } from '../masking/mask.ts';
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
      const foreign = !mask.isIdle && entry.tokenId !== caller.token.id;
      return masked(foreign ? withoutLiterals(entry) : entry, mask);
    };
    return search(history, { ...query, connectionIds }, shown);
  };
}

/**
 * Searches the masked text, then applies the limit. In a search of the stored text, the number of matches would reveal
 * whether an entry contains a hidden value.
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

/**
 * Hides all literals and comments. A statement may compare a literal with a masked column, so the literal may be a
 * masked value or a part of a masked value. A statement whose outcome is not `ok` may be invalid. Its literals are then
 * not known, so its whole text is hidden.
 */
function withoutLiterals(entry: HistoryEntry): HistoryEntry {
  const text = entry.outcome === 'ok' ? hideLiterals(entry.text) : maskText;
  return { ...entry, text, error: entry.error && maskText };
}

/**
 * The dialects disagree on where a literal ends, and the history does not know the dialect of a statement. So a
 * character is hidden if it belongs to a literal or comment in any dialect.
 */
function hideLiterals(text: string): string {
  const hidden = new Uint8Array(text.length);
  for (const dialect of dialects) {
    for (const { 0: token, index } of text.matchAll(dialect)) {
      if (!token.startsWith('[')) hidden.fill(1, index, index + token.length);
    }
  }
  let shown = '';
  for (let start = 0, end = 0; start < text.length; start = end) {
    end = hidden.indexOf(hidden[start] ? 0 : 1, start);
    if (end < 0) end = text.length;
    shown += hidden[start] ? maskText : text.slice(start, end);
  }
  return shown;
}

/**
 * A number that begins with dots is matched only from its first dot: trying each dot would take quadratic time on a
 * text of many dots.
 */
const numbers = /(?<![\w$.])\.+\d[\w.]*|(?<![\w$])\d[\w.]*/;

/**
 * Patterns of literals and comments also match without the closing mark. Otherwise each opening mark that is never
 * closed would make the search read the rest of a long text again.
 */
const dialects = [
  // SQLite. A name in brackets may contain a quote, so the name is matched, but not hidden.
  [/'[^']*'?/, /"[^"]*"?/, /`[^`]*`?/, /\[[^\]]*\]?/, /--[^\n]*/, /\/\*[\s\S]*?(?:\*\/|$)/],
  // Other SQL: backslash escapes, `#` comments, dollar quotes. If a comment contains `/*`, the rest of the text is
  // hidden: only some dialects nest comments.
  [
    /'(?:[^'\\]|\\[\s\S]|\\$)*'?/,
    /"(?:[^"\\]|\\[\s\S]|\\$)*"?/,
    /`[^`]*`?/,
    /(?<![\w\u0080-\uffff])(?<dollars>\$(?:(?!\d)[\w\u0080-\uffff]+)?\$)[\s\S]*?(?:\k<dollars>|$)/,
    /(?:--|#)[^\r\n]*/,
    /\/\*(?:(?!\*\/|\/\*)[\s\S])*(?:\*\/|[\s\S]*)/,
  ],
  // GraphQL and JSON.
  [/"""(?:[^"\\]|\\"""|\\|"(?!""))*(?:"""|$)/, /"(?:[^"\\]|\\[\s\S]|\\$)*"?/, /#[^\r\n]*/],
  // Standard SQL: brackets and backslashes are ordinary characters.
  [/'[^']*'?/, /"[^"]*"?/, /--[^\n]*/, /\/\*[\s\S]*?(?:\*\/|$)/],
  // A request line: the values of parameters, and the ids of objects in the path.
  [/(?<=[?&][\w.-]{1,64}=)[^&\s]+/, /(?<![\w-])[\da-fA-F]{8}-?(?:[\da-fA-F]{4}-?){3}[\da-fA-F]{12}(?![\w-])/],
].map((tokens) => new RegExp([...tokens, numbers].map(({ source }) => source).join('|'), 'g'));
