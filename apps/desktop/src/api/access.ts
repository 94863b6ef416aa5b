import type { DataAccess } from '@trestle/core';
import { person } from './trpc.ts';

/** The user's access to a connection. `signal` cancels the call. */
export function access(connectionId: string, signal: AbortSignal | undefined): DataAccess {
  return { caller: person, connectionId, signal: signal ?? new AbortController().signal };
}
