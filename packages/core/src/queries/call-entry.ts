import { createHash } from 'node:crypto';
import { AppError } from '../errors.ts';
import type { LogEntry } from '../log-queue/log-entry.ts';
import { own } from '../own-text.ts';
import type { ActivityEntry } from '../types.ts';
import type { Call, CallEnd } from './call.ts';

/** Builds the log entry of a call: the activity of a client, and the history of a statement. */
export function callEntry<T>(call: Call<T>, end: CallEnd<T>): LogEntry {
  const history = call.operation.history?.(end);
  return {
    ...(call.access.caller.kind === 'client' && { activity: activityEntry(call, end) }),
    ...(history && { history }),
    ...(call.intent !== undefined && { intent: call.intent }),
  };
}

/** The entry of a call that is about to begin. It stays if the app ends before the call does. */
export function unfinishedEntry<T>(call: Call<T>): LogEntry {
  return callEntry(call, { admitted: true, durationMs: 0, rows: null, error: unfinished, result: null });
}

/** One shared error: creating a stack trace for each call took longer than building the entry. */
const unfinished = new AppError({
  code: 'internal',
  message: own`Trestle ended before this call did: the call may have changed something`,
});

function activityEntry<T>({ access, operation }: Call<T>, end: CallEnd<T>): Omit<ActivityEntry, 'id' | 'at'> {
  const { caller, connectionId } = access;
  const failure = end.result === null ? null : (operation.failure?.(end.result) ?? null);
  return {
    action: operation.action,
    tokenName: caller.kind === 'client' ? caller.token.name : null,
    clientName: caller.kind === 'client' ? caller.clientName : null,
    connectionId,
    outcome: failure === null ? outcomeOf(end.error) : 'error',
    detail: end.error?.message ?? failure ?? operation.table ?? null,
    durationMs: end.durationMs,
    rows: end.rows,
    digest: operation.text === undefined ? null : createHash('sha256').update(operation.text).digest('hex'),
  };
}

const denials = new Set<string>([
  'forbidden',
  'read_only',
  'not_approved',
  'endpoint_unapproved',
  'above_ceiling',
  'refused',
]);

function outcomeOf(error: AppError | null): ActivityEntry['outcome'] {
  if (!error) return 'ok';
  if (error.code === 'cancelled') return 'cancelled';
  return denials.has(error.code) ? 'denied' : 'error';
}
