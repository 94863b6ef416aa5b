import { createContext } from 'react';
import type { ApiError } from './api.ts';

/**
 * Set while the connection is lost or refused. The strip above the tabs and the sidebar already say so.
 * Without this, every call in a tab would report it again. Null while the connection works.
 */
export const ConnectionDown = createContext<'lost' | 'failed' | null>(null);

export function isOfConnection({ code }: Pick<ApiError, 'code'>): boolean {
  return ['authentication_failed', 'connection_failed', 'not_connected', 'timeout'].includes(code);
}
