import { DriverError, type Json } from '@trestle/driver-kit';

/** JSON that is not Weaviate's comes from another program at this address, or from a proxy before the server. */
export function wrongAnswer(asked: string): DriverError {
  return new DriverError({
    code: 'query_failed',
    message: `The answer to ${asked} does not have the form of Weaviate's answers`,
    hint: 'Check host and port, and whether a proxy changes the answers.',
  });
}

export type JsonRecord = { [name: string]: Json };

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A list of objects. The server leaves an empty one out, or sends null. */
export function recordsOf(value: unknown, asked: string): JsonRecord[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || !value.every(isRecord)) throw wrongAnswer(asked);
  return value;
}

/** The same, but each object must have a text member of this name. */
export function namedRecordsOf(value: unknown, name: string, asked: string): JsonRecord[] {
  const records = recordsOf(value, asked);
  if (records.some((one) => typeof one[name] !== 'string')) throw wrongAnswer(asked);
  return records;
}
