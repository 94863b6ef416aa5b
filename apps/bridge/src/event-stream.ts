/** Parses a `text/event-stream` body in chunks. Passes on the data of each event and ignores comments. */
export class EventStream {
  readonly #onData: (data: string) => void;
  #rest = '';
  #data: string[] = [];

  constructor(onData: (data: string) => void) {
    this.#onData = onData;
  }

  push(chunk: string): void {
    const lines = (this.#rest + chunk).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const raw of lines) {
      const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
      if (line.startsWith('data:')) this.#data.push(line.slice(line[5] === ' ' ? 6 : 5));
      if (line !== '' || this.#data.length === 0) continue;
      const data = this.#data.join('\n');
      this.#data = [];
      this.#onData(data);
    }
  }
}
