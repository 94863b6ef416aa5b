import { StringDecoder } from './builtins.ts';

export interface AnswerHead {
  status: number;
  /** By names in lower case. */
  headers: Map<string, string>;
}

export interface AnswerSink {
  /** May throw, where the rest is not wanted. */
  onHead(head: AnswerHead): void;
  onText(text: string): void;
}

/**
 * Takes an HTTP/1.1 answer in pieces. It knows what Node's server sends, and throws on all else. `node:http` knows
 * more, and takes 12 ms longer until the first answer is there, a fifth of the time in which a bridge starts.
 */
export class AnswerReader {
  readonly #sink: AnswerSink;
  readonly #decoder = new StringDecoder('utf8');
  #rest: Buffer = Buffer.alloc(0);
  #next: 'head' | 'size' | 'bytes' | 'chunk end' | 'nothing' = 'head';
  #left = 0;
  #chunked = false;
  /** The connection ends with this answer. */
  isLast = false;

  constructor(sink: AnswerSink) {
    this.#sink = sink;
  }

  /** True once the answer is complete. */
  push(bytes: Buffer): boolean {
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    while (this.#step());
    if (this.#next !== 'nothing') return false;
    const cutOff = this.#decoder.end();
    if (cutOff !== '') this.#sink.onText(cutOff);
    // It would be taken for the answer to the next request.
    if (this.#rest.length > 0) throw malformed();
    return true;
  }

  /** False: more must come first. */
  #step(): boolean {
    switch (this.#next) {
      case 'head':
        return this.#readHead();
      case 'size':
        return this.#readSize();
      case 'bytes':
        return this.#readBytes();
      case 'chunk end':
        return this.#readChunkEnd();
      case 'nothing':
        return false;
    }
  }

  #readHead(): boolean {
    const text = this.#takeTo('\r\n\r\n', maxHeadBytes);
    if (text === undefined) return false;
    const head = parseHead(text);
    this.#chunked = head.headers.get('transfer-encoding') === 'chunked';
    this.#left = this.#chunked ? 0 : lengthOf(head);
    this.#next = this.#chunked ? 'size' : this.#left > 0 ? 'bytes' : 'nothing';
    this.isLast = head.headers.get('connection') === 'close';
    this.#sink.onHead(head);
    return true;
  }

  #readSize(): boolean {
    const text = this.#takeTo('\r\n', maxSizeBytes);
    if (text === undefined) return false;
    if (!/^[0-9a-f]{1,8}$/i.test(text)) throw malformed();
    this.#left = Number.parseInt(text, 16);
    this.#next = this.#left > 0 ? 'bytes' : 'chunk end';
    this.#chunked = this.#left > 0;
    return true;
  }

  #readBytes(): boolean {
    if (this.#rest.length === 0) return false;
    const text = this.#decoder.write(this.#take(Math.min(this.#left, this.#rest.length)));
    if (this.#left === 0) this.#next = this.#chunked ? 'chunk end' : 'nothing';
    if (text !== '') this.#sink.onText(text);
    return true;
  }

  /** After the last chunk too, since nobody has asked for trailers. */
  #readChunkEnd(): boolean {
    if (this.#rest.length < 2) return false;
    if (this.#rest.toString('latin1', 0, 2) !== '\r\n') throw malformed();
    this.#rest = this.#rest.subarray(2);
    this.#next = this.#chunked ? 'size' : 'nothing';
    return true;
  }

  #take(count: number): Buffer {
    const taken = this.#rest.subarray(0, count);
    this.#rest = this.#rest.subarray(count);
    this.#left -= count;
    return taken;
  }

  #takeTo(mark: string, most: number): string | undefined {
    const end = this.#rest.indexOf(mark);
    if (end > most || (end === -1 && this.#rest.length > most)) throw malformed();
    if (end === -1) return undefined;
    const text = this.#rest.toString('latin1', 0, end);
    this.#rest = this.#rest.subarray(end + mark.length);
    return text;
  }
}

const maxHeadBytes = 16_384;
const maxSizeBytes = 16;
const statusLine = /^HTTP\/1\.1 ([2-5]\d\d)(?: [\x20-\x7e\x80-\xff]*)?$/;
const headerLine = /^([!#$%&'*+.^_`|~\w-]+): *([\x20-\x7e\x80-\xff]*?) *$/;

function parseHead(text: string): AnswerHead {
  const [first = '', ...lines] = text.split('\r\n');
  const status = statusLine.exec(first)?.[1];
  if (status === undefined) throw malformed();
  const headers = new Map<string, string>();
  for (const line of lines) {
    const [, name, value] = headerLine.exec(line) ?? [];
    if (name === undefined || value === undefined) throw malformed();
    headers.set(name.toLowerCase(), value);
  }
  // Twice, or both of them, would leave open where the answer ends.
  if (lines.filter((line) => /^(content-length|transfer-encoding):/i.test(line)).length > 1)
    throw malformed();
  return { status: Number(status), headers };
}

function lengthOf({ status, headers }: AnswerHead): number {
  if (status === 204 || status === 304) return 0;
  const length = headers.get('content-length') ?? '';
  if (!/^\d{1,15}$/.test(length)) throw malformed();
  return Number(length);
}

function malformed(): Error {
  return new Error('its answer is not HTTP as Trestle speaks it');
}
