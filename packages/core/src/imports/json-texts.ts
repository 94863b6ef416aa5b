import { mostRowChars, rowTooLarge, unreadable } from './source-row.ts';

export interface JsonText {
  line: number;
  text: string;
}

/** Splits a JSON lines file into its lines. Leaves out empty lines. */
export class JsonLines {
  #line = 0;
  #rest = '';

  add(text: string): JsonText[] {
    // Searches only the new text for line ends. A long line comes in many chunks: searching the whole line again for
    // each chunk would be slow.
    const lines = text.split('\n');
    lines[0] = this.#rest + lines[0]!;
    this.#rest = lines.pop()!;
    if (this.#rest.length > mostRowChars) throw rowTooLarge(this.#line + 1, 'Is it a JSON lines file?');
    return this.#texts(lines);
  }

  end(): JsonText[] {
    return this.#texts([this.#rest]);
  }

  #texts(lines: string[]): JsonText[] {
    return lines.map((text) => ({ line: ++this.#line, text: text.trim() })).filter(({ text }) => text !== '');
  }
}

/**
 * Splits a JSON array into its elements. Finds the end of an element by brackets and quotes. JSON.parse then checks the
 * element.
 */
export class JsonArray {
  #line = 1;
  #startLine = 1;
  #text = '';
  /** The first character of the current element, after any space, was read. */
  #begun = false;
  #depth = 0;
  #inString = false;
  #escaped = false;
  #state: 'before' | 'open' | 'closed' = 'before';
  #count = 0;

  add(text: string): JsonText[] {
    const elements: JsonText[] = [];
    let from = 0;
    const take = (to: number) => {
      this.#text += text.slice(from, to);
      from = to + 1;
    };
    for (let at = 0; at < text.length; at++) {
      const char = text[at]!;
      if (char === '\n') this.#line++;
      if (this.#inString) {
        if (this.#escaped) this.#escaped = false;
        else if (char === '\\') this.#escaped = true;
        else if (char === '"') this.#inString = false;
        continue;
      }
      if (isSpace(char)) continue;
      if (this.#state === 'before') {
        // The decoder removes one byte order mark. A second one before the bracket is skipped.
        if (char === '[') this.#state = 'open';
        from = at + 1;
        continue;
      }
      if (this.#state === 'closed') throw unreadable(this.#line, 'text follows the end of the JSON array');
      if (this.#depth === 0 && (char === ',' || char === ']')) {
        take(at);
        const isLast = char === ']';
        this.#endElement(elements, isLast);
        if (isLast) this.#state = 'closed';
        continue;
      }
      if (!this.#begun) this.#startLine = this.#line;
      this.#begun = true;
      if (char === '"') this.#inString = true;
      else if (char === '{' || char === '[') this.#depth++;
      // The depth stays 0 at an extra bracket, because an element ends at depth 0. JSON.parse reports the bracket.
      else if ((char === '}' || char === ']') && this.#depth > 0) this.#depth--;
    }
    if (this.#state === 'open') take(text.length);
    if (this.#text.length > mostRowChars) throw rowTooLarge(this.#startLine, 'Does a bracket not close?');
    return elements;
  }

  end(): JsonText[] {
    if (this.#state === 'open') throw unreadable(this.#line, 'the JSON array does not end');
    return [];
  }

  #endElement(elements: JsonText[], isLast: boolean): void {
    const text = this.#text.trim();
    this.#text = '';
    this.#begun = false;
    if (text === '' && isLast && this.#count === 0) return;
    this.#count++;
    try {
      JSON.parse(text);
    } catch (error) {
      throw unreadable(text === '' ? this.#line : this.#startLine, `not JSON: ${(error as Error).message}`);
    }
    elements.push({ line: this.#startLine, text });
  }
}

function isSpace(char: string): boolean {
  return char === ' ' || char === '\n' || char === '\r' || char === '\t';
}
