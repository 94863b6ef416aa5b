import { isDeepStrictEqual } from 'node:util';
import { ownValue } from '@trestle/driver-kit';
import { type Document, isMap as isMapNode, isNode, type Pair, parseDocument, type YAMLMap } from 'yaml';
import { type ConfigText, isMap } from './config-text.ts';
import {
  eolOf,
  isFlow,
  lineAfter,
  linesOf,
  pairIn,
  printedFlow,
  printedLines,
  spanOf,
  spliced,
} from './yaml-lines.ts';

/** Edits our entry in YAML text. All other settings stay. Comments and layout stay where possible. */
export function yamlConfig(key: string, name: string): ConfigText {
  return {
    read,
    set(text, entry) {
      const document = parsed(text);
      const edited = withEntry(text, document, { key, name, entry });
      return holds(edited, [key, name], entry) ? edited : changed(text, document, [key, name], entry);
    },
    remove(text) {
      const document = parsed(text);
      const edited = withoutEntry(text, document, key, name);
      if (edited === text || holds(edited, [key, name], undefined)) return edited;
      return changed(text, document, [key, name], undefined);
    },
  };
}

function read(text: string): Record<string, unknown> {
  const value: unknown = parsed(text).toJS() ?? {};
  if (!isMap(value)) throw new Error('it does not hold a map');
  return value;
}

function parsed(text: string): Document {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error) throw new Error(`${error.message.split('\n')[0]}`);
  return document;
}

/**
 * Whether the edited text is valid and contains exactly this entry (undefined: no entry). An edit of the text can go
 * wrong, for example if it adds lines after `...`, which ends a document.
 */
function holds(
  edited: string | undefined,
  [key, name]: [key: string, name: string],
  entry: Record<string, unknown> | undefined,
): edited is string {
  if (edited === undefined) return false;
  const document = parseDocument(edited);
  if (document.errors.length > 0) return false;
  const value: unknown = document.toJS();
  const servers = isMap(value) ? ownValue(value, key) : undefined;
  return isDeepStrictEqual(isMap(servers) ? ownValue(servers, name) : undefined, entry);
}

/**
 * The fallback if the text cannot be edited in place. The library prints the whole file in its own layout, and may lose
 * comments near the entry.
 */
function changed(
  text: string,
  document: Document,
  path: [key: string, name: string],
  value: unknown,
): string {
  if (value === undefined) document.deleteIn(path);
  else if (isMapNode(document.get(path[0], true))) document.setIn(path, document.createNode(value));
  else document.set(path[0], document.createNode({ [path[1]]: value }));
  return document.toString({ lineWidth: 0 }).replaceAll('\n', eolOf(text));
}

interface Placed {
  key: string;
  name: string;
  entry: Record<string, unknown>;
}

function withEntry(text: string, { contents }: Document, { key, name, entry }: Placed): string | undefined {
  const servers = pairIn(contents, key);
  if (!servers) {
    if (isFlow(contents)) return withFlow(text, contents, key, { [name]: entry });
    const end = { start: text.length, end: text.length };
    return spliced(text, end, printedLines(text, { [key]: { [name]: entry } }, ''));
  }
  const map = servers.value;
  const ours = pairIn(map, name);
  if (isFlow(map) && (map.items.length > 0 || isFlow(contents)))
    return ours ? undefined : withFlow(text, map, name, entry);
  if (isFlow(contents)) return undefined;
  const items = isMapNode(map) ? map.items : [];
  if (items.length === 0) return underKey(text, servers, { [name]: entry });
  const place = ours && linesOf(text, ours);
  if (place) return spliced(text, place, printedLines(text, { [name]: entry }, place.indent));
  // Not added before the first entry: a comment above that entry would then be above ours.
  const last = linesOf(text, items.at(-1)!);
  const after = last && { start: last.end, end: last.end };
  return ours || !after
    ? undefined
    : spliced(text, after, printedLines(text, { [name]: entry }, last.indent));
}

function withFlow(text: string, map: YAMLMap, name: string, value: unknown): string {
  const last = map.items.at(-1);
  const at = last ? spanOf(last).end : (map.range?.[0] ?? 0) + 1;
  const fresh = printedFlow({ [name]: value })
    .slice(1, -1)
    .trim();
  return `${text.slice(0, at)}${last ? ', ' : ' '}${fresh}${last ? '' : ' '}${text.slice(at)}`;
}

/** Puts the value below the key, in place of the old value. */
function underKey(text: string, servers: Pair, value: unknown): string {
  const [from = 0, to = 0] = (isNode(servers.value) && servers.value.range) || [];
  const rest = to > from ? text.slice(0, from).trimEnd() + text.slice(to) : text;
  const keyEnd = isNode(servers.key) ? (servers.key.range?.[1] ?? 0) : 0;
  const at = lineAfter(rest, keyEnd);
  return spliced(rest, { start: at, end: at }, printedLines(text, value, '  '));
}

function withoutEntry(text: string, { contents }: Document, key: string, name: string): string | undefined {
  const servers = pairIn(contents, key);
  const ours = pairIn(servers?.value, name);
  if (!servers || !ours || !isMapNode(servers.value)) return text;
  const { items } = servers.value;
  if (isFlow(servers.value)) return withoutFlow(text, items, ours);
  const place = linesOf(text, ours);
  if (!place) return undefined;
  const rest = spliced(text, place, '');
  if (items.length > 1) return rest;
  // A key without a value would be null, which is not a map.
  const colon = text.indexOf(':', isNode(servers.key) ? servers.key.range?.[1] : 0) + 1;
  return `${rest.slice(0, colon)} {}${rest.slice(colon)}`;
}

function withoutFlow(text: string, items: Pair[], ours: Pair): string {
  const index = items.indexOf(ours);
  const previous = items[index - 1];
  const next = items[index + 1];
  const { start, end } = spanOf(ours);
  if (previous) return text.slice(0, spanOf(previous).end) + text.slice(end);
  return text.slice(0, start) + text.slice(next ? spanOf(next).start : end);
}
