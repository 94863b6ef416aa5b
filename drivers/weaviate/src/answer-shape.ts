import { DriverError, type Json } from '@trestle/driver-kit';

/**
 * The error for JSON that does not have the form of Weaviate's answers. Another program at this address may have sent
 * the JSON, or a proxy in front of the server.
 */
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

/** A list of objects. The server may leave an empty list out, or send null. */
export function recordsOf(value: unknown, asked: string): JsonRecord[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || !value.every(isRecord)) throw wrongAnswer(asked);
  return value;
}

/** A list of objects, as in `recordsOf`. Each object must have a text member of this name. */
export function namedRecordsOf(value: unknown, name: string, asked: string): JsonRecord[] {
  const records = recordsOf(value, asked);
  if (records.some((one) => typeof one[name] !== 'string')) throw wrongAnswer(asked);
  return records;
}
