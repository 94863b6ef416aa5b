import { hash } from 'node:crypto';
import { type Cell, cellToText } from '@trestle/driver-kit';

/** Further ids are not remembered, so the memory of an import has a limit: 24 bytes for each id, and room for as many. */
const mostIds = 500_000;

/** Finds two rows of a file that have the same id and different values. Only one of them can be stored. */
export class IdsInFile {
  /** An open hash table of the fingerprints of the ids. 0 is free. */
  readonly #ids: Float64Array;
  readonly #values: Float64Array;
  readonly #lines: Float64Array;
  #count = 0;

  constructor(rows: number) {
    const size = 2 ** Math.ceil(Math.log2(2 * Math.min(rows, mostIds) + 2));
    this.#ids = new Float64Array(size);
    this.#values = new Float64Array(size);
    this.#lines = new Float64Array(size);
  }

  /** The line of the first row with this id, if its values are different. Remembers the row if it is the first. */
  otherLine(id: string, values: Record<string, Cell>, line: number): number | undefined {
    const print = printOf(id);
    const size = this.#ids.length;
    let at = print % size;
    while (this.#ids[at] !== 0 && this.#ids[at] !== print) at = (at + 1) % size;
    const valuesPrint = () => printOf(textOf(values));
    if (this.#ids[at] === print) return this.#values[at] === valuesPrint() ? undefined : this.#lines[at];
    if (this.#count === mostIds) return undefined;
    this.#count++;
    this.#ids[at] = print;
    this.#values[at] = valuesPrint();
    this.#lines[at] = line;
    return undefined;
  }
}

/** 48 bits, never 0. */
function printOf(text: string): number {
  return hash('sha256', text, 'buffer').readUIntBE(0, 6) || 1;
}

function textOf(values: Record<string, Cell>): string {
  return JSON.stringify(Object.entries(values).map(([name, cell]) => [name, typeof cell, cellToText(cell)]));
}
