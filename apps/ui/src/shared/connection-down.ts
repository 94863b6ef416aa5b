import { createContext } from 'react';
import type { ApiError } from './api.ts';

/**
 * `lost` while Trestle reconnects, `failed` after it could not connect, otherwise null. The strip above the tabs or the
 * sidebar already reports this state. Without this context, every call in a tab would report it again.
 */
export const ConnectionDown = createContext<'lost' | 'failed' | null>(null);

export function isOfConnection({ code }: Pick<ApiError, 'code'>): boolean {
  return ['authentication_failed', 'connection_failed', 'not_connected', 'timeout'].includes(code);
}
