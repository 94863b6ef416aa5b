import { createContext } from 'react';
import type { ApiError } from './api.ts';

/**
 * The strip above the tabs says that the connection is lost, and the sidebar that the server refused it. Every call in
 * a tab would say it again, in the words of its own failure. Null while the connection is well.
 */
export const ConnectionDown = createContext<'lost' | 'failed' | null>(null);

export function isOfConnection({ code }: Pick<ApiError, 'code'>): boolean {
  return ['authentication_failed', 'connection_failed', 'not_connected', 'timeout'].includes(code);
}
