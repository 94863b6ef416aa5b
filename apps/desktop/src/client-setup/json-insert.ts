import { createScanner, type Node } from 'jsonc-parser/lib/esm/main.js';

export interface Layout {
  /** One step of indentation. */
  unit: string;
  eol: string;
}

export function layoutOf(text: string): Layout {
  return { unit: /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ', eol: text.includes('\r\n') ? '\r\n' : '\n' };
}

/** The value as JSON. Each line after the first begins with `indent`. */
export function printed(value: unknown, indent: string, { unit, eol }: Layout): string {
  return JSON.stringify(value, null, unit).replaceAll('\n', eol + indent);
}

/**
 * Adds a property at the end of the object. The edit function of jsonc-parser would reformat the neighbouring lines, and
 * move a comment at the end of a line to another property.
 */
export function insertProperty(text: string, object: Node, name: string, value: unknown): string {
  const layout = layoutOf(text);
  const last = object.children?.at(-1);
  const close = object.offset + object.length - 1;
  const outer = indentAt(text, object.offset);
  if (!last) {
    const indent = outer + layout.unit;
    const inside = text.slice(object.offset + 1, close).trimEnd();
    const property = `${JSON.stringify(name)}: ${printed(value, indent, layout)}`;
    const before = text.slice(0, object.offset + 1) + inside;
    return `${before}${layout.eol}${indent}${property}${layout.eol}${outer}${text.slice(close)}`;
  }
  const end = last.offset + last.length;
  const comma = commaAfter(text, end, close);
  const first = object.children?.[0] ?? last;
  const isSpread = text.slice(object.offset, first.offset).includes('\n');
  const indent = isSpread ? indentAt(text, first.offset) : outer;
  const property = `${JSON.stringify(name)}: ${isSpread ? printed(value, indent, layout) : JSON.stringify(value)}`;
  if (!isSpread) {
    const at = comma ?? end;
    const added = comma === undefined ? `, ${property}` : ` ${property},`;
    return text.slice(0, at) + added + text.slice(at);
  }
  // Insert after the comments on the line of the last property, because they belong to the last property.
  const at = Math.min(commentedLineEnd(text, comma ?? end), text.slice(0, close).trimEnd().length);
  const added = `${layout.eol}${indent}${property}`;
  return comma === undefined
    ? `${text.slice(0, end)},${text.slice(end, at)}${added}${text.slice(at)}`
    : `${text.slice(0, at)}${added},${text.slice(at)}`;
}

/** The position after the comma that follows `end`. Undefined if no comma follows before `close`. */
export function commaAfter(text: string, end: number, close: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(end);
  const token = scanner.scan();
  const at = scanner.getTokenOffset();
  return token === commaToken && at < close ? at + 1 : undefined;
}

/** Values of `SyntaxKind`. It is a const enum, which an isolated module cannot use. */
const commaToken = 5;
const lineBreak = 14;
const endOfFile = 17;

/** The position of the next line break that is not inside a block comment, or the end of the text. */
function commentedLineEnd(text: string, from: number): number {
  const scanner = createScanner(text);
  scanner.setPosition(from);
  for (;;) {
    const token = scanner.scan();
    if (token === lineBreak || token === endOfFile) return scanner.getTokenOffset();
  }
}

export function lineEnd(text: string, from: number): number {
  const newline = text.indexOf('\n', from);
  const end = newline === -1 ? text.length : newline;
  return text[end - 1] === '\r' ? end - 1 : end;
}

function indentAt(text: string, offset: number): string {
  const line = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(line))?.[0] ?? '';
}
