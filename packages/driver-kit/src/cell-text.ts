import { doubleOf, exactJson } from './exact-json.ts';
import type { Cell, ColumnType, Json } from './values.ts';

/** A cell as complete text, such as for the clipboard or a CSV file. NULL becomes the empty text. */
export function cellToText(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'string') return cell;
  if (cell instanceof Uint8Array) return bytesToBase64(cell);
  if (typeof cell === 'object') return exactJson(cell);
  return Object.is(cell, -0) ? '-0' : String(cell);
}

/** A cell as plain JSON: large integers, NaN and Infinity as text, bytes as base64. */
export function cellToJson(cell: Cell): Json {
  if (typeof cell === 'bigint') return String(cell);
  if (cell instanceof Uint8Array) return bytesToBase64(cell);
  if (typeof cell === 'number' && !Number.isFinite(cell)) return String(cell);
  return cell;
}

export type ParsedCell = { ok: true; cell: Cell } | { ok: false; problem: string };

/** Parses a text as a value of this type. `problem` names the expected format. */
export function parseCell(text: string, type: ColumnType): ParsedCell {
  switch (type) {
    case 'text':
      return { ok: true, cell: text };
    case 'int':
      return parseInteger(text.trim());
    case 'number':
      return parseNumber(text.trim());
    case 'boolean':
      return parseBoolean(text.trim());
    case 'date':
      return parseDate(text.trim());
    case 'uuid':
      return uuidPattern.test(text.trim())
        ? { ok: true, cell: text.trim().toLowerCase() }
        : problem('Expected a uuid such as 6f1c2b0e-8d4a-4c53-9d0f-2f7a2f1f9a10');
    case 'json':
      return parseExactJson(text);
    case 'vector':
      return parseVector(text);
    case 'bytes':
      return parseBase64(text.trim());
    case 'any':
      return { ok: true, cell: parseAny(text) };
  }
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const datePattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/i;
const numberPattern = /^[+-]?(\d+(?:\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/** A 64-bit integer has at most 20 digits. BigInt is slow for millions of digits. */
const mostDigits = 1000;

function parseInteger(text: string): ParsedCell {
  if (!/^[+-]?\d+$/.test(text)) return problem('Expected a whole number such as 42');
  if (text.length > mostDigits) return problem(`Expected a whole number of at most ${mostDigits} digits`);
  const exact = BigInt(text.replace(/^\+/, ''));
  return { ok: true, cell: isSafe(exact) ? Number(exact) : exact };
}

function parseNumber(text: string): ParsedCell {
  if (!numberPattern.test(text)) return problem('Expected a number such as 3.14');
  const number = Number(text);
  // BigInt(Infinity) throws, so a number beyond the range of a double is refused here.
  if (!Number.isFinite(number)) return problem('Expected a number between -1.8e308 and 1.8e308');
  const integer = parseInteger(text);
  // A whole number that a double would round keeps its digits. So does -2^63: SQLite turns every REAL within 64 bits into
  // an INTEGER, but not this one.
  if (integer.ok && integer.cell === -(2n ** 63n)) return integer;
  if (integer.ok && BigInt(number) !== BigInt(integer.cell as number | bigint)) return integer;
  return { ok: true, cell: number };
}

function parseBoolean(text: string): ParsedCell {
  const lower = text.toLowerCase();
  if (lower === 'true' || lower === 'false') return { ok: true, cell: lower === 'true' };
  return problem('Expected true or false');
}

/** A plain date means midnight UTC. */
function parseDate(plainOrFull: string): ParsedCell {
  const text = isPlainDate(plainOrFull) ? `${plainOrFull}T00:00:00Z` : plainOrFull;
  return datePattern.test(text) && !Number.isNaN(Date.parse(text)) && isOnCalendar(text)
    ? { ok: true, cell: text }
    : problem('Expected a date such as 2026-07-28 or an RFC 3339 timestamp such as 2026-07-28T09:30:00Z');
}

/** A date without a time of day. `parseCell` checks whether the day exists. */
export function isPlainDate(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text);
}

function parseJson(text: string): ParsedCell {
  let json: Json;
  try {
    json = JSON.parse(text) as Json;
  } catch (error) {
    return problem(`Expected JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (!isPrintable(json, mostLevels)) {
    return problem(`Expected JSON with numbers below 1.8e308 and at most ${mostLevels} levels`);
  }
  return { ok: true, cell: json };
}

function parseExactJson(text: string): ParsedCell {
  const parsed = parseJson(text);
  const rounded = parsed.ok ? roundedInteger(text) : undefined;
  if (rounded === undefined) return parsed;
  return problem(`Expected JSON without the integer ${rounded}, which would be rounded. Write it in quotes`);
}

/** An integer of the JSON whose digits change when it is read as a double. */
function roundedInteger(text: string): string | undefined {
  if (!/\d{16}/.test(text)) return undefined;
  let rounded: string | undefined;
  JSON.parse(text, (_, value: unknown, context?: { source?: string }) => {
    const source = context?.source;
    const isLarge = typeof value === 'number' && !Number.isSafeInteger(value);
    const isInteger = isLarge && source !== undefined && /^-?\d+$/.test(source);
    if (isInteger && doubleOf(BigInt(source)) === undefined) rounded ??= source;
    return value;
  });
  return rounded && (rounded.length > 40 ? `${rounded.slice(0, 40)}…` : rounded);
}

/** JSON.parse accepts very deep values, but they overflow the stack in the wire codec. */
const mostLevels = 500;

/** JSON.parse reads 1e999 as Infinity, which JSON.stringify writes as null. */
function isPrintable(json: Json, levels: number): boolean {
  if (typeof json === 'number') return Number.isFinite(json);
  if (typeof json !== 'object' || json === null) return true;
  return levels > 0 && Object.values(json).every((inner) => isPrintable(inner, levels - 1));
}

/** Date.parse reads 31 April as 1 May, and 24:00 as the next day. */
function isOnCalendar(text: string): boolean {
  const [year, month, day, hour] = text.split(/[-T:]/i).map(Number);
  return new Date(Date.UTC(year!, month! - 1, day)).getUTCDate() === day && hour! < 24;
}

function parseVector(text: string): ParsedCell {
  const parsed = parseJson(text);
  if (!parsed.ok) return parsed;
  return isVector(parsed.cell)
    ? parsed
    : problem('Expected a JSON array of numbers such as [0.1, -2, 3], or an array of such arrays');
}

/** A vector is a list of numbers. A multi-vector is a list of vectors. */
export function isVector(value: unknown): value is number[] | number[][] {
  const isList = (list: unknown) => Array.isArray(list) && list.every((one) => typeof one === 'number');
  return isList(value) || (Array.isArray(value) && value.every(isList));
}

function parseBase64(text: string): ParsedCell {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return problem('Expected base64');
  return { ok: true, cell: Uint8Array.from(atob(text), (char) => char.charCodeAt(0)) };
}

/** For a column without a type. The text becomes a number only if that number prints as the same text. */
function parseAny(text: string): Cell {
  const integer = parseInteger(text);
  if (integer.ok && String(integer.cell) === text) return isInt64(integer.cell) ? integer.cell : text;
  const number = parseNumber(text);
  return number.ok && String(number.cell) === text ? number.cell : text;
}

/** An integer beyond 64 bits is probably an identifier, so it stays text. */
function isInt64(value: Cell): boolean {
  return typeof value !== 'bigint' || BigInt.asIntN(64, value) === value;
}

function isSafe(value: bigint): boolean {
  return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER);
}

function problem(text: string): ParsedCell {
  return { ok: false, problem: text };
}

export function bytesToBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let start = 0; start < bytes.length; start += 0x8000) {
    binary += String.fromCharCode(...bytes.subarray(start, start + 0x8000));
  }
  return btoa(binary);
}
