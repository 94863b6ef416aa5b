/**
 * Takes a stream in pieces and gives its lines. `readline` would also break at U+2028 and U+2029, which may stand
 * in a JSON string.
 */
export class Lines {
  readonly #onLine: (line: string) => void;
  #parts: string[] = [];

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  push(chunk: string): void {
    let start = 0;
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', start)) {
      this.#parts.push(chunk.slice(start, end));
      const line = this.#parts.join('').trim();
      this.#parts = [];
      start = end + 1;
      if (line !== '') this.#onLine(line);
    }
    if (start < chunk.length) this.#parts.push(chunk.slice(start));
  }
}
