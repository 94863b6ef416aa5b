import { createContext } from 'react';
import type { ApiError } from './api.ts';

/**
 * The strip above the tabs says that the connection is lost. Every call in a tab would say it again, in the words of
 * its own failure.
 */
export const ConnectionDown = createContext(false);

export function isOfConnection({ code }: Pick<ApiError, 'code'>): boolean {
  return ['connection_failed', 'not_connected', 'timeout'].includes(code);
}
