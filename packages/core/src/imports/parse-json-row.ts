import { hasEscapedName, parseEscapedNames } from './escaped-names.ts';
import { repeatedMember } from './repeated-member.ts';
import type { SourceValue } from './source-row.ts';
import { WrittenReal } from './typed-json.ts';

/**
 * The members of a row's object, or the reason why the row cannot be imported. A number of at most 400 digits, without
 * point and exponent, becomes a bigint if it is not a safe integer. So it keeps all its digits. A member such as `5.0` is a
 * `WrittenReal`.
 */
export function parseJsonRow(text: string): { values: Map<string, SourceValue> } | { problem: string } {
  let json: unknown;
  let beyond: string | undefined;
  const reviver: Reviver = (_name, value, context) => {
    const kept = keepForm(value, context?.source);
    if (typeof kept === 'number' && !Number.isFinite(kept)) beyond ??= context?.source;
    return kept;
  };
  try {
    // The reviver is slow. Only long or large numbers need it.
    json = needsSource.test(text) ? JSON.parse(text, reviver) : JSON.parse(text);
    if (hasEscapedName(text)) {
      json = parseEscapedNames(text, (source) => reviver('', JSON.parse(source), { source }));
    }
  } catch (error) {
    // With a reviver or escaped names, the parser is recursive: many nested levels overflow its stack.
    if (error instanceof RangeError) return { problem: tooDeep };
    return { problem: `not JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
  // As a double, this number is infinite. JSON has no infinite number, so NULL would be stored.
  if (beyond !== undefined && typeof json === 'object')
    return { problem: `the number ${beyond.slice(0, 40)} is too large. Put it in quotes` };
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    return { problem: 'not a JSON object such as {"name": "value"}' };
  }
  if (isDeeper(json, mostLevels)) return { problem: tooDeep };
  const twice = repeatedMember(text, json);
  if (twice !== undefined) return { problem: `the object has the member "${twice}" twice` };
  const members = Object.entries(json).map(([name, value]): [string, SourceValue] => [
    name,
    value instanceof WrittenReal ? value : (withoutForms(value) as SourceValue),
  ]);
  return { values: new Map(members) };
}

/** Long numbers, numbers that may be infinite, and members such as `5.0` or `1e3`. */
const needsSource = /\d{16}|[eE]\+?\d{3}|"\s*:\s*-?\d+(?:\.0+\s*[,}]|(?:\.\d+)?[eE])/;

/** Inside a list or an object, `5.0` is the number 5. An object may name the type of its one value: see `readTyped`. */
function withoutForms(value: unknown): unknown {
  if (value instanceof WrittenReal) return value.value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value))
    return value.some((one) => typeof one === 'object') ? value.map(withoutForms) : value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutForms(inner)]));
}

/**
 * Without a reviver, JSON.parse reads very deep values. With such a value, JSON.stringify, which writes the report of
 * failed rows, would overflow the stack.
 */
const mostLevels = 1000;
const tooDeep = `more than ${mostLevels} nested levels`;

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  for (const inner of Array.isArray(value) ? value : Object.values(value))
    if (isDeeper(inner, levels - 1)) return true;
  return false;
}

type Reviver = (name: string, value: unknown, context?: { source?: string }) => unknown;

function keepForm(value: unknown, source: string | undefined): unknown {
  if (typeof value !== 'number' || source === undefined) return value;
  if (Number.isInteger(value) && /[.eE]/.test(source)) return new WrittenReal(value, source);
  if (Number.isSafeInteger(value)) return value;
  // The time to read a bigint grows faster than its length. A longer number stays a double, which is infinite: its row
  // fails.
  return /^-?\d{1,400}$/.test(source) ? BigInt(source) : value;
}

/** The reverse of `parseJsonRow`. */
export function jsonRowText(values: Iterable<[string, unknown]>): string {
  return jsonText(Object.fromEntries(values));
}

/** A value of a file as JSON. A number keeps all its digits, and its form. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, function (this: Record<string, unknown>, name, value) {
    const given = this[name];
    if (given instanceof WrittenReal) return rawJson(given.source);
    if (Object.is(value, -0)) return rawJson('-0');
    return typeof value === 'bigint' ? rawJson(String(value)) : value;
  });
}

/** Node has had `JSON.rawJSON` since version 21. TypeScript's library does not declare it yet. */
const rawJson = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON;
