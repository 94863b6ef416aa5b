/** Splits a stream into lines. `readline` would also split at U+2028 and U+2029, which may occur in a JSON string. */
export class Lines {
  readonly #onLine: (line: string) => void;
  readonly #onTooLong: () => void;
  #parts: string[] = [];
  #length = 0;

  constructor(onLine: (line: string) => void, onTooLong: () => void = () => {}) {
    this.#onLine = onLine;
    this.#onTooLong = onTooLong;
  }

  push(chunk: string): void {
    let start = 0;
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', start)) {
      this.#keep(chunk.slice(start, end));
      const line = this.#parts.join('').trim();
      this.#parts = [];
      this.#length = 0;
      start = end + 1;
      if (line !== '') this.#onLine(line);
    }
    if (start < chunk.length) this.#keep(chunk.slice(start));
  }

  /** Drops a line that is too long, because the line could fill the memory. */
  #keep(part: string): void {
    const wasTooLong = this.#length > maxLength;
    this.#length += part.length;
    if (this.#length <= maxLength) this.#parts.push(part);
    else {
      this.#parts = [];
      if (!wasTooLong) this.#onTooLong();
    }
  }
}

/** Above the largest request that the app's settings allow, 100 MB. */
export const maxLength = 128 * 1024 * 1024;
