import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ActivityEntry } from '../types.ts';

/** The place in the chain after a row: the next row's hash covers it. */
export interface Link {
  id: number;
  hash: string;
}

/** What stands before the first row, until the first pruning. */
export function genesis(key: string): Link {
  return { id: 0, hash: seal(key, ['genesis']) };
}

/** Under a key that is kept with the secrets: without it nobody can go on with the chain or mend it. */
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

/** Signs where the log begins after its oldest rows were pruned. */
export function startSeal(key: string, start: Link): string {
  return seal(key, ['start', start.id, start.hash]);
}

export function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** JSON keeps the fields apart: no text of one can pass for the next. */
function seal(key: string, fields: (string | number | null)[]): string {
  return createHmac('sha256', Buffer.from(key, 'base64')).update(JSON.stringify(fields)).digest('base64url');
}
