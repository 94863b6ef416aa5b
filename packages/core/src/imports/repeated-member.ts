import { skipSpace, stringEnd } from './escaped-names.ts';
import { WrittenReal } from './typed-json.ts';

/**
 * A name that an object of the text has twice, the object itself or one inside it. JSON.parse would drop the first value
 * without a word. The text must be valid JSON, and `json` its value.
 */
export function repeatedMember(text: string, json: unknown): string | undefined {
  if (countNames(text) === countMembers(json)) return undefined;
  const open: Set<string>[] = [];
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    if (char === '{') open.push(new Set());
    else if (char === '}') open.pop();
    if (char !== '"') continue;
    const end = stringEnd(text, at);
    if (text[skipSpace(text, end)] === ':') {
      const name = JSON.parse(text.slice(at, end)) as string;
      if (open.at(-1)!.has(name)) return name;
      open.at(-1)!.add(name);
    }
    at = end - 1;
  }
  return undefined;
}

function countNames(text: string): number {
  let count = 0;
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at)) {
    at = stringEnd(text, at);
    if (text[skipSpace(text, at)] === ':') count++;
  }
  return count;
}

function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null || value instanceof WrittenReal) return 0;
  let count = Array.isArray(value) ? 0 : Object.keys(value).length;
  for (const inner of Array.isArray(value) ? value : Object.values(value)) count += countMembers(inner);
  return count;
}
