import {
  bytesToBase64,
  type Cell,
  type ColumnHead,
  doubleOf,
  exactJson,
  type ParsedCell,
  parseCell,
} from '@trestle/driver-kit';

/**
 * A number that a JSON file writes with a point or an exponent, although it is whole: `5.0` or `1e3`. An untyped column
 * keeps it apart from `5`.
 */
export class WrittenReal {
  readonly value: number;
  readonly source: string;

  constructor(value: number, source: string) {
    this.value = value;
    this.source = source;
  }

  toJSON(): number {
    return this.value;
  }
}

/**
 * A cell as JSON that `fitJsonValue` reads as the same cell. A value that plain JSON cannot express in this column is an
 * object with one member, which names its type: docs/import.md describes them.
 */
export function typedJson(cell: Cell, { type, apart }: Pick<ColumnHead, 'type' | 'apart'>): string {
  switch (typeof cell) {
    case 'string':
      return readsAsItself(cell, type) ? JSON.stringify(cell) : `{"$text":${JSON.stringify(cell)}}`;
    case 'bigint':
      if (isSafe(cell) && (type === 'int' || type === 'number' || type === 'any' || type === 'json'))
        return String(cell);
      // In quotes, since many programs read each JSON number as a double, which could round this one.
      return type === 'int' || type === 'number' || !apart ? `"${cell}"` : `{"$integer":"${cell}"}`;
    case 'number':
      return numberJson(cell, { type, apart: apart ?? false });
    case 'object':
      if (!(cell instanceof Uint8Array)) return exactJson(cell);
      return type === 'bytes' || type === 'json' || (type === 'any' && !apart)
        ? `"${bytesToBase64(cell)}"`
        : `{"$bytes":"${bytesToBase64(cell)}"}`;
    default:
      return JSON.stringify(cell);
  }
}

function readsAsItself(text: string, type: ColumnHead['type']): boolean {
  if (type === 'text' || type === 'any' || type === 'json') return true;
  if (type !== 'date' && type !== 'uuid') return false;
  const parsed = parseCell(text, type);
  return parsed.ok && parsed.cell === text;
}

function numberJson(number: number, { type, apart }: Required<Pick<ColumnHead, 'type' | 'apart'>>): string {
  if (!Number.isFinite(number)) return `{"$real":"${number}"}`;
  const plain = exactJson(number);
  switch (type) {
    case 'int':
      // SQLite keeps a REAL of -2^63 apart from the INTEGER, also in an INTEGER column.
      if (!Number.isInteger(number) || number === -(2 ** 63)) return `{"$real":${plain}}`;
      // A large double prints with zeros in place of its last digits.
      return Number.isSafeInteger(number) ? plain : String(BigInt(number));
    case 'number':
    case 'json':
      return plain;
    case 'any':
      return apart ? withPoint(plain) : plain;
    default:
      return `{"$real":${withPoint(plain)}}`;
  }
}

function withPoint(number: string): string {
  return /[.e]/.test(number) ? number : `${number}.0`;
}

function isSafe(integer: bigint): boolean {
  return Number.isSafeInteger(Number(integer));
}

/** Reads an object that names the type of its value. Undefined for any other value. */
export function readTyped(value: object): ParsedCell | undefined {
  const entries = Object.entries(value);
  const [name, given] = entries[0] ?? [];
  if (entries.length !== 1 || !Object.hasOwn(readers, name!)) return undefined;
  return readers[name as keyof typeof readers](given instanceof WrittenReal ? given.value : given);
}

const readers = {
  $text: (given: unknown): ParsedCell =>
    typeof given === 'string' ? { ok: true, cell: given } : expected('{"$text": "a text"}'),
  $bytes: (given: unknown): ParsedCell => {
    const parsed = typeof given === 'string' ? parseCell(given, 'bytes') : undefined;
    return parsed?.ok ? parsed : expected('{"$bytes": "base64"}');
  },
  $integer: (given: unknown): ParsedCell => {
    const text = typeof given === 'number' || typeof given === 'bigint' ? String(given) : given;
    if (typeof text !== 'string' || !/^-?\d{1,400}$/.test(text)) return expected('{"$integer": "42"}');
    return { ok: true, cell: BigInt(text) };
  },
  $real: (given: unknown): ParsedCell => {
    if (given === 'Infinity' || given === '-Infinity' || given === '-0')
      return { ok: true, cell: Number(given) };
    const real = typeof given === 'bigint' ? doubleOf(given) : given;
    return typeof real === 'number' ? { ok: true, cell: real } : expected('{"$real": 5.0}');
  },
};

function expected(form: string): ParsedCell {
  return { ok: false, problem: `Expected ${form}` };
}
