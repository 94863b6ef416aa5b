import type { Node } from 'jsonc-parser/lib/esm/main.js';
import { commaAfter, lineEnd } from './json-insert.ts';

/**
 * Removes a property. The edit function of jsonc-parser would remove everything up to the next property, including a
 * comment about the next property.
 */
export function removeProperty(text: string, object: Node, property: Node): string {
  const siblings = object.children ?? [];
  const previous = siblings[siblings.indexOf(property) - 1];
  const end = property.offset + property.length;
  const comma = commaAfter(text, end, object.offset + object.length - 1);
  const { from, to } = widened(text, property.offset, comma ?? end);
  const rest = text.slice(to);
  if (comma !== undefined || !previous) return text.slice(0, from) + rest;
  // The removed property was the last one, so the comma before it is removed too.
  const before = commaAfter(text, previous.offset + previous.length, property.offset) ?? from;
  return text.slice(0, before - 1) + text.slice(before, from) + rest;
}

/**
 * The range to remove. Usually it is the property's whole lines. If those lines contain other text, it is the property
 * and the blanks before the property.
 */
function widened(text: string, from: number, to: number): { from: number; to: number } {
  const lineStart = text.lastIndexOf('\n', from - 1) + 1;
  const stop = lineEnd(text, to);
  const next = text.indexOf('\n', stop) + 1;
  const isAlone = text.slice(lineStart, from).trim() === '' && text.slice(to, stop).trim() === '';
  if (isAlone && lineStart > 0 && next > 0) return { from: lineStart, to: next };
  // A loop: a regular expression would take quadratic time in a line of many blanks.
  let start = from;
  while (start > lineStart && ' \t'.includes(text[start - 1]!)) start--;
  return { from: start, to };
}
