import { type Document, isMap as isMapNode, isNode, type Pair, parseDocument, stringify } from 'yaml';
import { type ConfigText, isMap, unparsable } from './config-text.ts';

/** Edits YAML; a new entry is put between the lines, so that everything else stays as it was written. */
export function yamlConfig(key: string, name: string): ConfigText {
  return {
    read,
    set(text, entry) {
      const document = parsed(text);
      if (document.getIn([key, name]) !== undefined) return changed(document, [key, name], entry);
      return inserted(text, document, { key, name, entry });
    },
    remove: (text) => changed(parsed(text), [key, name], undefined),
  };
}

function read(text: string): Record<string, unknown> {
  const value: unknown = parsed(text).toJS() ?? {};
  if (!isMap(value)) throw unparsable('it does not hold a map');
  return value;
}

function parsed(text: string): Document {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error) throw unparsable(`${error.message.split('\n')[0]}`);
  return document;
}

/** For what no inserted lines can do. Comments and order stay; the layout becomes the printer's. */
function changed(document: Document, path: [key: string, name: string], value: unknown): string {
  if (value === undefined) document.deleteIn(path);
  else if (isMapNode(document.get(path[0], true))) document.setIn(path, document.createNode(value));
  else document.set(path[0], document.createNode({ [path[1]]: value }));
  return document.toString({ lineWidth: 0 });
}

function inserted(
  text: string,
  document: Document,
  { key, name, entry }: { key: string; name: string; entry: Record<string, unknown> },
): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = (value: unknown, indent: string) =>
    stringify(value, { lineWidth: 0 })
      .trimEnd()
      .split('\n')
      .map((line) => `${indent}${line}${eol}`)
      .join('');
  const servers = document.get(key, true);
  if (servers === undefined && !isFlow(document.contents)) {
    const before = text === '' || text.endsWith('\n') ? text : text + eol;
    return before + lines({ [key]: { [name]: entry } }, '');
  }
  if (!isMapNode(servers) || isFlow(servers) || servers.items.length === 0) {
    return changed(document, [key, name], entry);
  }
  const first = startOf(servers.items[0]);
  const indent = text.slice(text.lastIndexOf('\n', first - 1) + 1, first);
  const at = lineAfter(text, endOf(servers.items.at(-1)));
  if (indent.trim() !== '' || at === undefined) return changed(document, [key, name], entry);
  // After the last of the others, since a comment above the first belongs to the first.
  const before = text.slice(0, at);
  return (before.endsWith('\n') ? before : before + eol) + lines({ [name]: entry }, indent) + text.slice(at);
}

function startOf(pair: Pair | undefined): number {
  return isNode(pair?.key) ? (pair.key.range?.[0] ?? 0) : 0;
}

function endOf(pair: Pair | undefined): number | undefined {
  const node = pair?.value ?? pair?.key;
  return isNode(node) ? node.range?.[1] : undefined;
}

/** Where the line begins that follows this place. */
function lineAfter(text: string, end: number | undefined): number | undefined {
  if (end === undefined) return undefined;
  if (text[end - 1] === '\n') return end;
  const newline = text.indexOf('\n', end);
  return newline === -1 ? text.length : newline + 1;
}

function isFlow(node: unknown): boolean {
  return isMapNode(node) && node.flow === true;
}
