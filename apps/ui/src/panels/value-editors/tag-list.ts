import { type Json, parseCell } from '@trestle/driver-kit';

export type Tag = string | number | boolean;
export type TagKind = 'text' | 'number' | 'boolean';

/** Each keystroke draws all entries again. A longer list would be slow, so it opens as JSON. */
const mostTags = 500;

/**
 * The entries of a flat list of one kind; null for any other text. An empty text or list counts as a list if `wasList`
 * is true or the native type is a list, such as `text[]`. A list with more than `mostTags` entries counts only if
 * `wasList` is true, so that the list editor does not disappear when the user adds an entry.
 */
export function tagsIn(text: string, nativeType: string | undefined, { wasList = false } = {}): Tag[] | null {
  const none = wasList || isList(nativeType) ? [] : null;
  if (text.trim() === '') return none;
  const parsed = parseCell(text, 'json');
  if (!parsed.ok || !Array.isArray(parsed.cell)) return null;
  const list = parsed.cell as Json[];
  if (list.length === 0) return none;
  if (list.length > mostTags && !wasList) return null;
  const kinds = new Set(list.map((entry) => typeof entry));
  return kinds.size === 1 && !kinds.has('object') ? (list as Tag[]) : null;
}

/** The kind of the entries. For an empty list, the name of the type decides. */
export function tagKind(tags: Tag[], nativeType: string | undefined): TagKind {
  const [first] = tags;
  if (first !== undefined) return typeof first === 'string' ? 'text' : (typeof first as TagKind);
  if (/^(int|number|float|double|real|decimal|numeric)/i.test(nativeType ?? '')) return 'number';
  return /^bool/i.test(nativeType ?? '') ? 'boolean' : 'text';
}

/** Reads an entry that was typed. */
export function readTag(
  text: string,
  kind: TagKind,
): { ok: true; tag: Tag } | { ok: false; problem: string } {
  if (kind === 'text') return { ok: true, tag: text };
  const parsed = parseCell(text, kind);
  if (!parsed.ok) return parsed;
  // JSON numbers are read as doubles, which may not represent this integer exactly.
  if (typeof parsed.cell === 'bigint')
    return { ok: false, problem: 'Expected a number between -2^53 and 2^53' };
  return { ok: true, tag: parsed.cell as Tag };
}

export function tagText(tags: Tag[]): string {
  return JSON.stringify(tags, null, 2);
}

/** The list with one entry in another place. */
export function movedTag(tags: Tag[], from: number, to: number): Tag[] {
  const [tag] = tags.slice(from, from + 1);
  return tag === undefined ? tags : tags.toSpliced(from, 1).toSpliced(to, 0, tag);
}

function isList(nativeType: string | undefined): boolean {
  return nativeType?.endsWith('[]') ?? false;
}
