import type { SourceValue } from './source-row.ts';

/** The members of a row's object, or why it is none. A whole number that a double would round is a bigint. */
export function parseJsonRow(text: string): { values: Map<string, SourceValue> } | { problem: string } {
  let json: unknown;
  try {
    // The reviver is slow, and only long digits need it.
    json = /\d{16}/.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text);
  } catch (error) {
    return { problem: `not JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    return { problem: 'not a JSON object such as {"name": "value"}' };
  }
  return { values: new Map(Object.entries(json)) };
}

function keepDigits(_name: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source;
  if (typeof value !== 'number' || Number.isSafeInteger(value) || source === undefined) return value;
  return /^-?\d+$/.test(source) ? BigInt(source) : value;
}

/** The reverse: digits are written as they were read. */
export function jsonRowText(values: Iterable<[string, unknown]>): string {
  return JSON.stringify(Object.fromEntries(values), (_name, value) =>
    typeof value === 'bigint' ? rawJson(String(value)) : value,
  );
}

/** In Node since 21; TypeScript's library does not know it yet. */
const rawJson = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON;
