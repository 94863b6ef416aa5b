import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { DriverLogEntry } from '@trestle/driver-kit';
import { longestRedacted, type Redact, redacted } from './redact.ts';

/** Passes on a driver's log, with a limit: a driver that prints without end must not fill the app's log. */
export class HostLog {
  readonly #write: (entry: DriverLogEntry) => void;
  readonly #redact: Redact;
  #windowStart = Number.NEGATIVE_INFINITY;
  #inWindow = 0;
  #leftOut = 0;

  constructor(write: (entry: DriverLogEntry) => void, redact: Redact) {
    this.#write = write;
    this.#redact = redact;
  }

  add(entry: DriverLogEntry): void {
    const now = performance.now();
    if (now - this.#windowStart > windowMs) {
      this.flush();
      this.#windowStart = now;
      this.#inWindow = 0;
    }
    if (++this.#inWindow > entriesPerWindow) this.#leftOut++;
    else this.#write({ level: entry.level, message: redacted(entry.message, lineLength, this.#redact) });
  }

  /** Reads a stream of the process line by line. A line without an end is cut, so that it does not fill the memory. */
  follow(stream: Readable, level: DriverLogEntry['level'], onLine?: (line: string) => void): void {
    const decoder = new StringDecoder('utf8');
    let rest = '';
    const take = (line: string) => {
      if (line.trim() === '') return;
      onLine?.(line);
      this.add({ level, message: line });
    };
    stream.on('data', (chunk: Buffer) => {
      const lines = (rest + decoder.write(chunk)).split('\n');
      // One character more than `longestRedacted`, so that `redacted` sees that the line was cut.
      rest = (lines.pop() ?? '').slice(0, longestRedacted + 1);
      for (const line of lines) take(line);
    });
    stream.on('end', () => take(rest));
  }

  flush(): void {
    if (this.#leftOut > 0) this.#write({ level: 'warn', message: `${tooMany} Left out: ${this.#leftOut}` });
    this.#leftOut = 0;
  }
}

const windowMs = 10_000;
const entriesPerWindow = 200;
const lineLength = 2_000;
const tooMany = `The driver wrote more than ${entriesPerWindow} log entries in ${windowMs / 1000} seconds.`;
