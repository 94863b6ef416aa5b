import { isMap as isMapNode, isNode, isScalar, type Pair, stringify, type YAMLMap } from 'yaml';

/** `start` is the position of the first character, `end` the position after the last one. */
interface Span {
  start: number;
  end: number;
}

export function spliced(text: string, { start, end }: Span, fresh: string): string {
  const before = text.slice(0, start);
  // The last line of a file may have no line end.
  const joint = fresh === '' || before === '' || before.endsWith('\n') ? '' : eolOf(text);
  return before + joint + fresh + text.slice(end);
}

/** The value as separate lines, with the indentation `indent` and the line ends of `text`. */
export function printedLines(text: string, value: unknown, indent: string): string {
  const lines = stringify(value, { lineWidth: 0 }).trimEnd().split('\n');
  return lines.map((line) => `${indent}${line}${eolOf(text)}`).join('');
}

export function printedFlow(value: unknown): string {
  return stringify(value, { lineWidth: 0, collectionStyle: 'flow' }).trim();
}

export function eolOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

export function pairIn(map: unknown, name: string): Pair | undefined {
  if (!isMapNode(map)) return undefined;
  return map.items.find(({ key }) => isScalar(key) && key.value === name);
}

export function spanOf(pair: Pair): Span {
  const start = isNode(pair.key) ? (pair.key.range?.[0] ?? 0) : 0;
  const last = isNode(pair.value) ? pair.value : pair.key;
  return { start, end: isNode(last) ? (last.range?.[1] ?? start) : start };
}

/** The complete lines of an entry. Undefined if the entry's key is not the first text on its line. */
export function linesOf(text: string, pair: Pair): (Span & { indent: string }) | undefined {
  const { start, end } = spanOf(pair);
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const indent = text.slice(lineStart, start);
  return indent.trim() === '' ? { start: lineStart, end: lineAfter(text, end), indent } : undefined;
}

/** The position `end` if a line starts there, otherwise the start of the next line or the end of the text. */
export function lineAfter(text: string, end: number): number {
  if (text[end - 1] === '\n') return end;
  const newline = text.indexOf('\n', end);
  return newline === -1 ? text.length : newline + 1;
}

export function isFlow(node: unknown): node is YAMLMap {
  return isMapNode(node) && node.flow === true;
}
