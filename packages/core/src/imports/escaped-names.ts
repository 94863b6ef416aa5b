/** Whether the name of a member is written with a backslash. The text must be valid JSON. */
export function hasEscapedName(text: string): boolean {
  if (!text.includes('\\')) return false;
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at)) {
    const end = stringEnd(text, at);
    const hasEscape = text.slice(at, end).includes('\\');
    at = end;
    if (hasEscape && text[skipSpace(text, at)] === ':') return true;
  }
  return false;
}

/**
 * Reads JSON whose names have backslashes. V8 14 may confuse such names: after an object with the name `x\`, JSON.parse
 * may read the name `x"` as `x\`. The text must be valid JSON. `scalar` parses a string, a number, `true`, `false` or
 * `null`.
 */
export function parseEscapedNames(text: string, scalar: (source: string) => unknown): unknown {
  let at = 0;
  const token = () => {
    const from = at;
    at = text[at] === '"' ? stringEnd(text, at) : wordEnd(text, at);
    return text.slice(from, at);
  };
  const members = (end: string, read: () => void) => {
    at = skipSpace(text, at + 1);
    while (text[at] !== end) {
      read();
      at = skipSpace(text, at);
      if (text[at] === ',') at = skipSpace(text, at + 1);
    }
    at++;
  };
  const value = (): unknown => {
    at = skipSpace(text, at);
    if (text[at] === '[') {
      const elements: unknown[] = [];
      members(']', () => elements.push(value()));
      return elements;
    }
    if (text[at] !== '{') return scalar(token());
    const entries: [string, unknown][] = [];
    members('}', () => {
      // JSON.parse reads a string on its own correctly.
      const name = JSON.parse(token()) as string;
      at = skipSpace(text, at) + 1;
      entries.push([name, value()]);
    });
    return Object.fromEntries(entries);
  };
  return value();
}

/** The index after a string. A regular expression would overflow its stack on a text with millions of escapes. */
export function stringEnd(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

function wordEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && !',]} \n\r\t'.includes(text[at]!)) at++;
  return at;
}

export function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && ' \n\r\t'.includes(text[at]!)) at++;
  return at;
}
