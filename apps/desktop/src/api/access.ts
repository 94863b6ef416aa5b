import type { DataAccess } from '@trestle/core';
import { person } from './trpc.ts';

/** The person's access to a connection; the signal fires when the window gives up the request. */
export function access(connectionId: string, signal: AbortSignal | undefined): DataAccess {
  return { caller: person, connectionId, signal: signal ?? new AbortController().signal };
}
