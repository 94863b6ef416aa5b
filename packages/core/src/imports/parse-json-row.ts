import type { SourceValue } from './source-row.ts';

/**
 * The members of a row's object, or the reason why it is not an object. A whole number that a double would round
 * becomes a bigint.
 */
export function parseJsonRow(text: string): { values: Map<string, SourceValue> } | { problem: string } {
  let json: unknown;
  try {
    // The reviver is slow. Only long numbers need it.
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

/** The reverse. Numbers are written exactly as they were read. */
export function jsonRowText(values: Iterable<[string, unknown]>): string {
  return JSON.stringify(Object.fromEntries(values), (_name, value) =>
    typeof value === 'bigint' ? rawJson(String(value)) : value,
  );
}

/** Node has had it since version 21. TypeScript's library does not declare it yet. */
const rawJson = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON;
