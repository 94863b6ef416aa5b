import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ActivityEntry } from '../types.ts';

/** The state of the chain after a row. The next row's hash covers it. */
export interface Link {
  id: number;
  hash: string;
}

/** The state before row 1. A log that begins at a later row has a signed start instead. */
export function genesis(key: string): Link {
  return { id: 0, hash: seal(key, ['genesis']) };
}

/** An HMAC. Its key is stored with the secrets: without the key nobody can make the seal of a row. */
export function rowHash(key: string, before: Link, entry: ActivityEntry): string {
  const { id, at, action, tokenName, clientName, connectionId, outcome, detail, durationMs, rows, digest } =
    entry;
  return seal(key, [
    'row',
    before.id,
    before.hash,
    id,
    at,
    action,
    tokenName,
    clientName,
    connectionId,
    outcome,
    detail,
    durationMs,
    rows,
    digest,
  ]);
}

/** Signs the start of a log whose earlier rows were pruned, or are in a damaged file that was set aside. */
export function startSeal(key: string, start: Link): string {
  return seal(key, ['start', start.id, start.hash]);
}

export function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** JSON separates the fields. Otherwise the end of one field could pass for the start of the next. */
function seal(key: string, fields: (string | number | null)[]): string {
  // SQLite stores half of a surrogate pair as U+FFFD. The seal must cover the stored text, because the check reads it.
  const stored = fields.map((field) => (typeof field === 'string' ? field.toWellFormed() : field));
  return createHmac('sha256', Buffer.from(key, 'base64')).update(JSON.stringify(stored)).digest('base64url');
}
