import { type FoundColumn, isVector, type Json, parseCell } from '@trestle/driver-kit';
import { readRows } from './read-rows.ts';
import { readText } from './read-text.ts';
import type { SourceValue } from './source-row.ts';
import type { ImportFile } from './survey-file.ts';
import { WrittenReal } from './typed-json.ts';

export interface InferredColumn extends FoundColumn {
  /** The reason for a type that a reader may not expect. */
  doubt?: string;
}

/** Rows beyond this number are not read: their values may need another type, and the import then reports them. */
const mostRows = 100_000;

/**
 * The types of the columns of a file, from its values. A type is chosen only if every value fits it, so no row that was
 * read fails for its type.
 */
export async function inferColumns(
  file: Pick<ImportFile, 'path' | 'format' | 'columns'>,
  { signal }: { signal: AbortSignal },
): Promise<InferredColumn[]> {
  const seen = new Map(file.columns.map((name) => [name, new Seen()]));
  let read = 0;
  for await (const rows of readRows(readText(file.path, { signal }))) {
    for (const { values } of rows)
      for (const [name, value] of values) seen.get(name)?.add(value, { isText: file.format === 'csv' });
    read += rows.length;
    if (read >= mostRows) break;
  }
  return Array.from(seen, ([name, column]) => column.result(name));
}

type Kind = 'int' | 'number' | 'boolean' | 'date' | 'uuid' | 'text' | 'bytes';

/** The values of one column that were read so far. */
class Seen {
  #kinds = new Set<Kind>();
  #lists = 0;
  #objects = 0;
  #plain = 0;
  /** The numbers in each vector. -1: they differ, or a list is no vector. */
  #dimensions = 0;
  #isPadded = false;
  #isHuge = false;
  readonly #inner = new Map<string, Seen>();
  #items: Seen | undefined;

  add(value: SourceValue | undefined, { isText }: { isText: boolean }): void {
    if (value === null || value === undefined) return;
    if (typeof value === 'string' && isText && value.startsWith('[')) {
      const vector = parseCell(value, 'vector');
      if (vector.ok && Array.isArray(vector.cell) && vector.cell.length >= leastDimensions) {
        this.#addList(vector.cell);
        return;
      }
    }
    if (value instanceof WrittenReal) this.#addKind('number');
    else if (typeof value !== 'object') this.#addKind(this.#kindOf(value, isText));
    else if (Array.isArray(value)) this.#addList(value as Json[]);
    else this.#addObject(value);
  }

  result(name: string): InferredColumn {
    const forms = [this.#plain, this.#lists, this.#objects].filter((count) => count > 0).length;
    if (forms > 1) return { name, type: 'any', doubt: 'It has values of different kinds.' };
    if (this.#lists > 0) {
      if (this.#dimensions > 0) return { name, type: 'vector' };
      const { type, columns } = this.#items!.result(name);
      return { name, type, isList: true, ...(columns && { columns }) };
    }
    if (this.#objects > 0)
      return { name, type: 'json', columns: Array.from(this.#inner, ([inner, seen]) => seen.result(inner)) };
    return { name, ...this.#plainType() };
  }

  #plainType(): Omit<InferredColumn, 'name'> {
    const kinds = [...this.#kinds];
    const isNumeric = kinds.length > 0 && kinds.every((kind) => kind === 'int' || kind === 'number');
    if (isNumeric && this.#isPadded)
      return { type: 'text', doubt: 'Its digits start with 0, so they stay text.' };
    if (isNumeric && this.#isHuge)
      return { type: 'text', doubt: 'A number has more than 15 digits, so all stay text.' };
    if (kinds.length === 1) return { type: kinds[0]! };
    if (isNumeric) return { type: 'number' };
    if (kinds.length === 0) return { type: 'text', doubt: 'It has no value.' };
    return kinds.includes('text') || kinds.length < 2
      ? { type: 'text' }
      : { type: 'text', doubt: `It has values of the types ${kinds.join(' and ')}.` };
  }

  #addKind(kind: Kind): void {
    this.#plain++;
    this.#kinds.add(kind);
  }

  #kindOf(value: string | number | bigint | boolean, isText: boolean): Kind {
    if (typeof value === 'boolean') return 'boolean';
    if (typeof value === 'bigint') return 'int';
    if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'number';
    const text = value.trim();
    if (parseCell(text, 'date').ok) return 'date';
    if (parseCell(text, 'uuid').ok) return 'uuid';
    if (!isText) return 'text';
    if (parseCell(text, 'boolean').ok) return 'boolean';
    if (!parseCell(text, 'number').ok) return 'text';
    this.#isPadded ||= /^[+-]?0\d/.test(text) || text.startsWith('+');
    const isWhole = /^-?\d+$/.test(text);
    this.#isHuge ||= isWhole && text.replace('-', '').length > 15;
    return isWhole ? 'int' : 'number';
  }

  #addList(list: readonly unknown[]): void {
    this.#lists++;
    const length = isVector(list) && list.length >= leastDimensions ? list.length : -1;
    this.#dimensions = this.#dimensions === 0 || this.#dimensions === length ? length : -1;
    this.#items ??= new Seen();
    // The type of a long vector needs no look at each number.
    for (const item of list.slice(0, 100)) this.#items.add(item as SourceValue, { isText: false });
  }

  #addObject(value: object): void {
    const [name = '', ...others] = Object.keys(value);
    const typed = others.length === 0 ? typedMembers.get(name) : undefined;
    if (typed) {
      this.#addKind(typed);
      return;
    }
    this.#objects++;
    for (const [member, inner] of Object.entries(value) as [string, SourceValue][]) {
      const seen = this.#inner.get(member) ?? new Seen();
      this.#inner.set(member, seen);
      seen.add(inner, { isText: false });
    }
  }
}

/** Shorter lists of numbers are lists. */
const leastDimensions = 8;

/** See typed-json.ts. */
const typedMembers = new Map<string, Kind>([
  ['$text', 'text'],
  ['$bytes', 'bytes'],
  ['$integer', 'int'],
  ['$real', 'number'],
]);
