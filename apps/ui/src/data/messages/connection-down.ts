import { createContext } from 'react';
import type { ApiError } from '../api/api.ts';

/**
 * `lost` while Trestle reconnects, `failed` after it could not connect, otherwise null. `ConnectionStrip` reports
 * `lost`, and `SessionNote` reports `failed`. Without this context, each failed call in a tab would report
 * this state again.
 */
export const ConnectionDown = createContext<'lost' | 'failed' | null>(null);

/** Whether the connection, not the call, may be the cause of an error. */
export function isOfConnection({ code }: Pick<ApiError, 'code'>): boolean {
  return ['authentication_failed', 'connection_failed', 'not_connected', 'timeout'].includes(code);
}
