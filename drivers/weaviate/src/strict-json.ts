import { DriverError, type Json } from '@trestle/driver-kit';

export interface StrictJson {
  value: Json;
  /** Our own serialization of `value`: the only form in which it is sent. Numbers keep their digits. */
  text: string;
}

/**
 * Parses a body and refuses one that two parsers could understand differently. Go matches JSON keys
 * case-insensitively and uses the last one. So in `{"match": …, "Match": …}` the driver would check the first key, and
 * the server would use the second.
 */
export function readStrictJson(text: string): StrictJson {
  const reader = new Reader(text);
  const json = reader.value(0);
  reader.end();
  return json;
}

/** A member by its name, matched as Go matches it. */
export function member(value: Json | undefined, name: string): Json | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const wanted = foldCase(name);
  return Object.entries(value).find(([key]) => foldCase(key) === wanted)?.[1];
}

/**
 * Neither upper nor lower case alone is enough. Only upper case turns the long s (ſ) into S. Only lower case turns the
 * Kelvin sign (U+212A) into k and the capital ẞ into ß.
 */
export function foldCase(name: string): string {
  return name.toLowerCase().toUpperCase().toLowerCase();
}

/** The most levels of nesting. Go stops at 10,000. A body that a person writes has far fewer. */
const deepest = 500;

const token = /[ \t\n\r]*(?:([{}[\]:,])|(")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null))/y;

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(depth: number): StrictJson {
    if (depth > deepest) throw refused('The body is nested too deeply', 'Send a flatter body.');
    const next = this.#next();
    if (next === '{') return this.#object(depth);
    if (next === '[') return this.#list(depth);
    if (/^[\]},:]/.test(next)) throw notJson();
    const value = parse(next);
    return { value, text: typeof value === 'string' ? JSON.stringify(value) : next };
  }

  end(): void {
    // Not `trim`: it removes more characters than JSON allows around a value.
    if (/[^ \t\n\r]/.test(this.#text.slice(this.#at))) throw notJson();
  }

  #object(depth: number): StrictJson {
    const members = new Map<string, { key: string; json: StrictJson }>();
    for (let next = this.#next(); next !== '}'; ) {
      if (!next.startsWith('"')) throw notJson();
      const key = String(parse(next));
      if (this.#next() !== ':') throw notJson();
      const other = members.get(foldCase(key));
      if (other) throw sameKey(other.key, key);
      members.set(foldCase(key), { key, json: this.value(depth + 1) });
      next = this.#next();
      if (next === ',') {
        next = this.#next();
        if (next === '}') throw notJson();
      } else if (next !== '}') throw notJson();
    }
    const all = [...members.values()];
    return {
      value: Object.fromEntries(all.map(({ key, json }) => [key, json.value])),
      text: `{${all.map(({ key, json }) => `${JSON.stringify(key)}:${json.text}`).join(',')}}`,
    };
  }

  #list(depth: number): StrictJson {
    const items: StrictJson[] = [];
    if (this.#peek() === ']') this.#next();
    else {
      for (let next = ','; next !== ']'; next = this.#next()) {
        if (next !== ',') throw notJson();
        items.push(this.value(depth + 1));
      }
    }
    return { value: items.map(({ value }) => value), text: `[${items.map((item) => item.text).join(',')}]` };
  }

  #peek(): string {
    const at = this.#at;
    const next = this.#next();
    this.#at = at;
    return next;
  }

  #next(): string {
    token.lastIndex = this.#at;
    const [, sign, quote, word] = token.exec(this.#text) ?? [];
    const next = sign ?? word;
    this.#at = token.lastIndex;
    if (next !== undefined) return next;
    if (quote === undefined) throw notJson();
    const start = this.#at - 1;
    this.#at = this.#afterText(this.#at);
    return this.#text.slice(start, this.#at);
  }

  /** Not a regular expression: a text of some million characters would overflow its stack. */
  #afterText(from: number): number {
    for (let at = this.#text.indexOf('"', from); at >= 0; at = this.#text.indexOf('"', at + 1)) {
      let backslash = at;
      while (backslash > from && this.#text[backslash - 1] === '\\') backslash--;
      if ((at - backslash) % 2 === 0) return at + 1;
    }
    throw notJson();
  }
}

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw notJson();
  }
}

function sameKey(first: string, second: string): DriverError {
  return refused(
    first === second
      ? `The body has the key ${JSON.stringify(first)} twice`
      : `The body has two keys that differ only in case: ${JSON.stringify(first)} and ${JSON.stringify(second)}`,
    'Weaviate reads keys without regard to case and takes the last one. Keep one of them.',
  );
}

function notJson(): DriverError {
  return refused(
    'The body is not JSON',
    'Send one request at a time: everything after the path is its body.',
  );
}

function refused(message: string, hint: string): DriverError {
  return new DriverError({ code: 'refused', message, hint });
}
