import { hasEscapedName, parseEscapedNames } from './escaped-names.ts';
import type { SourceValue } from './source-row.ts';

/**
 * The members of a row's object, or the reason why the row cannot be imported. A number of at most 400 digits, without
 * point and exponent, becomes a bigint if it is not a safe integer. So it keeps all its digits.
 */
export function parseJsonRow(text: string): { values: Map<string, SourceValue> } | { problem: string } {
  let json: unknown;
  let beyond: string | undefined;
  const reviver: Reviver = (_name, value, context) => {
    const kept = keepDigits(value, context?.source);
    if (typeof kept === 'number' && !Number.isFinite(kept)) beyond ??= context?.source;
    return kept;
  };
  try {
    // The reviver is slow. Only long or large numbers need it.
    json = /\d{16}|[eE]\+?\d{3}/.test(text) ? JSON.parse(text, reviver) : JSON.parse(text);
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
  return { values: new Map(Object.entries(json)) };
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

function keepDigits(value: unknown, source: string | undefined): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value) || source === undefined) return value;
  // The time to read a bigint grows faster than its length. A longer number stays a double, which is infinite: its row
  // fails.
  return /^-?\d{1,400}$/.test(source) ? BigInt(source) : value;
}

/** The reverse of `parseJsonRow`. A whole number keeps all its digits. */
export function jsonRowText(values: Iterable<[string, unknown]>): string {
  return JSON.stringify(Object.fromEntries(values), (_name, value) =>
    typeof value === 'bigint' ? rawJson(String(value)) : value,
  );
}

/** Node has had `JSON.rawJSON` since version 21. TypeScript's library does not declare it yet. */
const rawJson = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON;
