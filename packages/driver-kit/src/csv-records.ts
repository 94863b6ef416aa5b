interface CsvRecord {
  line: number;
  /** Null for an empty field without quotes. Trestle's export writes NULL this way, and the empty text as `""`. */
  fields: (string | null)[];
  size: number;
  problem?: string;
}

type FieldState = 'start' | 'plain' | 'quoted' | 'closed';

const quote = 34;
const lf = 10;
const cr = 13;

/** The text cannot be read from this line on. */
export class CsvError extends Error {
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/**
 * Parses CSV (RFC 4180), or text with tabs, in chunks. A quote inside an unquoted field is taken literally. An empty
 * field is not the same as `""`.
 */
export class CsvRecords {
  readonly #delimiter: number;
  readonly #mostChars: number;
  readonly #keepsBlank: boolean;
  #line = 1;
  #startLine = 1;
  #fields: (string | null)[] = [];
  #field = '';
  #size = 0;
  #state: FieldState = 'start';
  #problem: string | undefined;
  /** The last character was CR. If LF follows, it belongs to the same line end. */
  #afterCr = false;

  /** `mostChars`: the most characters of a record. `keepsBlank`: a blank line is a record with one empty field. */
  constructor(delimiter: string, { mostChars = Number.POSITIVE_INFINITY, keepsBlank = false } = {}) {
    this.#delimiter = delimiter.charCodeAt(0);
    this.#mostChars = mostChars;
    this.#keepsBlank = keepsBlank;
  }

  /** The records that end in this chunk. */
  add(text: string): CsvRecord[] {
    const records: CsvRecord[] = [];
    let from = 0;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      const isLineEnd = code === cr || (code === lf && !this.#afterCr);
      const isSecondHalf = code === lf && this.#afterCr;
      this.#afterCr = code === cr;
      if (isLineEnd) this.#line++;
      if (this.#state === 'quoted') {
        if (code !== quote) continue;
        this.#field += text.slice(from, at);
        this.#state = 'closed';
        continue;
      }
      if (isSecondHalf) {
        from = at + 1;
        continue;
      }
      if (code === this.#delimiter || isLineEnd) {
        this.#endField(text.slice(from, at));
        from = at + 1;
        if (isLineEnd) this.#endRecord(records);
      } else if (this.#state === 'start') {
        this.#state = code === quote ? 'quoted' : 'plain';
        from = code === quote ? at + 1 : at;
      } else if (this.#state === 'closed') {
        if (code === quote) {
          // Two quotes stand for one.
          this.#field += '"';
          this.#state = 'quoted';
          from = at + 1;
        } else {
          this.#problem ??=
            'text follows the closing quote of a field. In a quoted field, write each quote twice';
          // The field is kept literally, with its quotes: the report of failed rows must not lose a part of it.
          this.#field = `"${this.#field.replaceAll('"', '""')}"`;
          this.#state = 'plain';
          from = at;
        }
      }
    }
    this.#keep(text.slice(from));
    this.#size += text.length;
    if (this.#size > this.#mostChars) {
      const message = `the row that begins here has more than ${this.#mostChars} characters. Is a quote not closed?`;
      throw new CsvError(this.#startLine, message);
    }
    return records;
  }

  /** The last record, if the file does not end with a line end. */
  end(): CsvRecord[] {
    if (this.#state === 'quoted') {
      throw new CsvError(this.#startLine, 'a quoted field in this row is never closed');
    }
    const records: CsvRecord[] = [];
    if (this.#fields.length > 0 || this.#state !== 'start' || this.#keepsBlank) {
      this.#endField('');
      this.#endRecord(records);
    }
    return records;
  }

  #keep(rest: string): void {
    if (this.#state === 'plain' || this.#state === 'quoted') this.#field += rest;
  }

  #endField(rest: string): void {
    if (this.#state === 'plain') this.#field += rest;
    this.#fields.push(this.#state === 'start' ? null : this.#field);
    this.#field = '';
    this.#state = 'start';
  }

  #endRecord(records: CsvRecord[]): void {
    const fields = this.#fields;
    const isBlank = fields.length === 1 && fields[0] === null;
    if (!isBlank || this.#keepsBlank) {
      const size = fields.reduce((sum, field) => sum + (field?.length ?? 0) + 1, 0);
      records.push({
        line: this.#startLine,
        fields,
        size,
        ...(this.#problem && { problem: this.#problem }),
      });
    }
    this.#fields = [];
    this.#problem = undefined;
    this.#startLine = this.#line;
    this.#size = 0;
  }
}

/**
 * The delimiter of `among` that occurs most often in the first line, outside quotes. Defaults to `,`. `hasEnded`: the
 * text contains the end of that line.
 */
export function detectDelimiter(
  start: string,
  among = [',', ';', '\t', '|'],
): { delimiter: string; hasEnded: boolean } {
  const counts = new Map(among.map((one) => [one, 0]));
  // A quote opens a field only at its start: `5" disk` is plain text. Two quotes inside a quoted field stand for one.
  let state = 'start' as FieldState;
  let hasEnded = false;
  for (const char of start) {
    hasEnded = state !== 'quoted' && (char === '\n' || char === '\r');
    if (hasEnded) break;
    if (state === 'quoted') {
      if (char === '"') state = 'closed';
    } else if (counts.has(char)) {
      counts.set(char, counts.get(char)! + 1);
      state = 'start';
    } else state = char === '"' && state !== 'plain' ? 'quoted' : 'plain';
  }
  const [best] = [...counts].sort((a, b) => b[1] - a[1]);
  return { delimiter: best![1] > 0 ? best![0] : ',', hasEnded };
}
